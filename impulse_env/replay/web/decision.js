// Whose decision it is, what is legal, what was chosen, and what an agent thinks of it.

class DecisionPanel {
  constructor(game, analysis) {
    this.game = game;
    this.analysis = analysis;
    this.line = document.getElementById("line");
    this.who = document.getElementById("who");
    this.prompt = document.getElementById("prompt");
    this.note = document.getElementById("note");
    this.choices = document.getElementById("choices");
  }

  show(eye, step) {
    const { data } = this.game;
    const seat = data.seats[step];
    if (seat === NOTHING) {
      this.who.replaceChildren("The game is over");
    } else {
      const agent = data.agents[seat];
      this.who.replaceChildren(markOf(seat), `Seat ${seat} decides`, make("small", { text: agent }));
    }
    this.prompt.textContent = this.game.text(eye.prompts[step]);
    const isPuzzle = Boolean(this.analysis.learning?.asks(step));
    const judged = eye.choices[step].length && !isPuzzle ? this.analysis.of(step) : null;
    this.note.textContent = isPuzzle ? "" : this.noteOf(eye, step);
    const choices = eye.choices[step].map((choice) => this.withChance(choice, judged));
    const probabilities = choices.map((choice) => choice[2]);
    this.tellLine(judged?.line ?? []);
    const has = probabilities.some((share) => share !== undefined);
    const order = choices.map((_, row) => row);
    if (has) order.sort((a, b) => (probabilities[b] ?? -1) - (probabilities[a] ?? -1));
    this.choices.classList.toggle("has-shares", has);
    this.choices.replaceChildren(
      ...order.map((row) =>
        isPuzzle
          ? this.question(choices[row], eye, step)
          : this.choice(choices[row], row === eye.chosen[step], has, judged?.mark),
      ),
    );
    const chosen = this.choices.querySelector(".chosen");
    this.choices.scrollTop = chosen === null ? 0 : chosen.offsetTop - chosen.offsetHeight;
    if (seat !== NOTHING && choices.length === 0) {
      const text = "What is legal, and what was chosen, is seen by this seat's eyes.";
      this.choices.replaceChildren(make("li", { class: "hidden-from", text }));
    }
  }

  // An analysis knows the chance to win after each choice: more than how readily somebody takes it.
  withChance([name, text, share], judged) {
    return judged ? [name, text, judged.chances[this.game.text(name)]] : [name, text, share];
  }

  question([name, text], eye, step) {
    const button = make("button", { type: "button", text: this.game.text(text) });
    const textOf = (action) => this.textOf(eye, step, action);
    button.addEventListener("click", () => this.analysis.learning.answer(this.game.text(name), textOf));
    return make("li", {}, button);
  }

  textOf(eye, step, action) {
    const found = eye.choices[step].find(([name]) => this.game.text(name) === action);
    return found ? this.game.text(found[1]) : action;
  }

  tellLine(sentences) {
    this.line.hidden = sentences.length === 0;
    this.line.replaceChildren(...sentences.map((text) => make("li", { text })));
  }

  choice([name, text, share], isChosen, has, mark) {
    const line = make("li", { title: this.game.text(name) });
    if (isChosen) line.setAttribute("class", "chosen");
    if (has) {
      const percent = share === undefined ? "" : `${(share / 10).toFixed(share < 100 ? 1 : 0)} %`;
      const bar = make("span", { class: "bar" });
      bar.style.setProperty("--share", (share ?? 0) / 1000);
      line.append(make("span", { class: "share", text: percent }), bar);
    }
    line.append(make("span", { text: this.game.text(text) }));
    if (isChosen) line.append(make("strong", { text: mark ? `chosen: ${mark}` : "chosen", class: mark || "plain" }));
    return line;
  }

  noteOf(eye, step) {
    const note = eye.notes[step];
    if (eye.choices[step].length && this.analysis.found) {
      return this.analysis.words(step, (action) => this.textOf(eye, step, action));
    }
    if (note === null) return "";
    const [by, wins, seconds] = note;
    const agent = this.game.data.agents[this.game.data.seats[step]];
    const words = [this.game.text(by) || agent];
    if (wins !== null) words.push(`chance to win ${(100 * wins).toFixed(0)} %`);
    if (seconds !== null) words.push(`thought ${seconds.toFixed(seconds < 1 ? 3 : 1)} s`);
    return words.length === 1 && words[0] === agent ? "" : words.join(", ");
  }
}
