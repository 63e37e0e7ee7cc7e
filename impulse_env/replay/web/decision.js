// Whose decision it is, what is legal, what was chosen, and what an agent thinks of it.

class DecisionPanel {
  /**
   * @param choose called with a position and the number of a choice to be tried; null: none can be
   */
  constructor(game, analysis, choose) {
    this.game = game;
    this.analysis = analysis;
    this.choose = choose;
    this.line = byId("line");
    this.who = byId("who");
    this.prompt = byId("prompt");
    this.note = byId("note");
    this.why = new Why();
    this.choices = byId("choices");
  }

  show(at) {
    const { seat } = at;
    if (seat === NOTHING) {
      this.who.replaceChildren("The game is over");
    } else {
      const agent = this.game.data.agents[seat];
      this.who.replaceChildren(markOf(seat), `Seat ${numberOf(seat)} decides`, make("small", { text: agent }));
    }
    this.prompt.textContent = at.prompt;
    const isPuzzle = at.node === null && Boolean(this.analysis.learning?.asks(at.step));
    const judged = at.choices.length && !isPuzzle ? this.judgedOf(at) : null;
    this.note.textContent = isPuzzle ? "" : this.noteOf(at);
    this.why.show(judged?.why ?? null);
    this.tellLine(judged?.line ?? []);
    // A chance to win after a choice tells more than how readily somebody takes it.
    const shares = at.choices.map(({ name, share }) => (judged ? judged.chances[name] : share));
    const has = shares.some((share) => share !== undefined);
    const order = at.choices.map((_, row) => row);
    if (has) order.sort((a, b) => (shares[b] ?? -1) - (shares[a] ?? -1));
    this.choices.classList.toggle("has-shares", has);
    this.choices.replaceChildren(
      ...order.map((row) =>
        isPuzzle ? this.question(at, row) : this.choice(at, row, has, shares[row], judged?.mark),
      ),
    );
    // The best comes first, and what was chosen stays in sight by itself.
    this.choices.scrollTop = 0;
    if (seat !== NOTHING && at.choices.length === 0) {
      const text = "What is legal, and what was chosen, is seen by this seat's eyes.";
      this.choices.replaceChildren(make("li", { class: "hidden-from", text }));
    }
  }

  judgedOf({ step, node }) {
    if (node === null) return this.analysis.of(step);
    const chances = node.thought?.chances ?? node.thought?.shares;
    return chances ? { chances } : null;
  }

  question(at, row) {
    const { name, text } = at.choices[row];
    const textOf = (action) => this.textOf(at, action);
    return make("li", {}, makeButton(() => this.analysis.learning.answer(name, textOf), { text }));
  }

  textOf(at, action) {
    return at.choices.find(({ name }) => name === action)?.text ?? action;
  }

  tellLine(sentences) {
    this.line.hidden = sentences.length === 0;
    this.line.replaceChildren(...sentences.map((text) => make("li", { text: forPeople(text) })));
  }

  choice(at, row, has, share, mark) {
    const { name, text } = at.choices[row];
    const line = make("li", { title: name });
    const isChosen = row === at.chosen;
    if (isChosen) line.setAttribute("class", "chosen");
    if (has) {
      const percent = share === undefined ? "" : inPercent(share);
      const bar = make("span", { class: "bar" });
      bar.style.setProperty("--share", (share ?? 0) / 1000);
      line.append(make("span", { class: "share", text: percent }), bar);
    }
    line.append(this.choose === null ? make("span", { text }) : this.tryButton(at, row, text));
    if (isChosen) line.append(make("strong", { text: mark ? `chosen: ${mark}` : "chosen", class: mark || "plain" }));
    else if (this.choose?.isTried(at, row)) line.append(make("strong", { text: "tried", class: "plain" }));
    return line;
  }

  tryButton(at, row, text) {
    return makeButton(() => this.choose.take(at, row), { class: "try", text });
  }

  noteOf(at) {
    if (at.node !== null) return at.node.thought?.words ?? "";
    if (at.choices.length && this.analysis.found) {
      return this.analysis.words(at.step, (action) => this.textOf(at, action));
    }
    if (at.note === null) return "";
    const [by, wins, seconds] = at.note;
    const agent = this.game.data.agents[at.seat];
    const words = [this.game.text(by) || agent];
    if (wins !== null) words.push(`chance to win ${(100 * wins).toFixed(0)} %`);
    if (seconds !== null) words.push(`thought ${seconds.toFixed(seconds < 1 ? 3 : 1)} s`);
    return words.length === 1 && words[0] === agent ? "" : words.join(", ");
  }
}
