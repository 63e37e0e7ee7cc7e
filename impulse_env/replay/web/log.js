// What happened, a line for each event; a line leads to the step that it led to.

class Log {
  constructor(game, place, goTo) {
    this.game = game;
    this.place = place;
    this.eye = null;
    this.current = [];
    place.addEventListener("click", (event) => {
      const line = event.target.closest("[data-step]");
      if (line !== null) goTo(Number(line.dataset.step));
    });
  }

  show(eye, step) {
    if (eye !== this.eye) this.begin(eye);
    for (const line of this.current) line.removeAttribute("aria-current");
    this.current = this.lines[step];
    for (const line of this.current) line.setAttribute("aria-current", "step");
    this.scroll(step);
  }

  begin(eye) {
    this.eye = eye;
    this.lines = eye.log.map((events, step) => events.map((event) => this.line(event, step)));
    this.place.replaceChildren(...this.lines.flat());
  }

  line([kind, seat, text], step) {
    const line = make("li", { "data-step": step, class: this.game.text(kind) });
    line.append(seat === NOTHING ? make("span", { class: "mark" }) : markOf(seat));
    line.append(make("span", { text: this.game.text(text) }));
    return line;
  }

  scroll(step) {
    const first = this.current[0];
    if (first === undefined) {
      if (step === 0) this.place.scrollTop = 0;
      return;
    }
    // Not scrollIntoView, which would move the page as well.
    this.place.scrollTop = first.offsetTop - this.place.clientHeight * 0.4;
  }
}
