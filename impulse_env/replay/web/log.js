// What happened, a line for each event; a line leads to the position that it led to.

class Log {
  constructor(game, place, goTo) {
    this.game = game;
    this.place = place;
    this.eye = null;
    this.current = [];
    place.addEventListener("click", (event) => {
      const line = event.target.closest("[data-step]");
      if (line !== null) goTo(line.dataset.step);
    });
  }

  show(eye, { step, node }) {
    if (eye !== this.eye) this.begin(eye);
    if (node !== null) return this.showBranch(eye, step, node);
    if (this.isInBranch) this.place.replaceChildren(...this.lines.flat());
    this.isInBranch = false;
    this.mark(this.lines[step], step);
  }

  // What happened in the game before the branch, and what happens in it.
  showBranch(eye, step, node) {
    const lines = pathOf(node).map((one) =>
      one.seen.get(eye).events.map(([kind, seat, text]) => this.line(kind, seat, text, one.at)),
    );
    this.place.replaceChildren(...this.lines.slice(0, step + 1).flat(), ...lines.flat());
    this.isInBranch = true;
    this.mark(lines.at(-1), step);
  }

  mark(current, step) {
    for (const line of this.current) line.removeAttribute("aria-current");
    this.current = current;
    for (const line of this.current) line.setAttribute("aria-current", "step");
    this.scroll(step);
  }

  begin(eye) {
    this.eye = eye;
    const { game } = this;
    this.lines = eye.log.map((events, step) =>
      events.map(([kind, seat, text]) => this.line(game.text(kind), seat, game.told(text), step)),
    );
    this.isInBranch = false;
    this.place.replaceChildren(...this.lines.flat());
  }

  line(kind, seat, text, at) {
    const line = make("li", { "data-step": at, class: kind });
    line.append(seat === NOTHING ? make("span", { class: "mark" }) : markOf(seat));
    line.append(make("span", { text }));
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
