// The costly decisions of a seat as puzzles: what would have been better?

/** A text as a part of a sentence. */
const within = (text) => text.replace(/\.$/, "");

class Learning {
  constructor(analysis, goTo) {
    this.analysis = analysis;
    this.goTo = goTo;
    this.steps = [];
    [this.said, this.next, this.end] = [byId("learn-said"), byId("learn-next"), byId("learn-end")];
    this.next.addEventListener("click", () => this.turn(this.at + 1));
    this.end.addEventListener("click", () => this.stop());
  }

  /** A button for each seat with costly decisions. */
  offer() {
    const { game, marked } = this.analysis;
    const seats = game.seats.filter((seat) => marked.some((one) => one.seat === seat));
    byId("learn").replaceChildren(
      ...seats.map((seat) =>
        makeButton(() => this.begin(seat), { text: `Learn from the mistakes of ${seatName(seat)}` }),
      ),
    );
  }

  begin(seat) {
    this.steps = this.analysis.marked.filter((one) => one.seat === seat).map((one) => one.step);
    this.turn(0);
  }

  turn(at) {
    if (at >= this.steps.length) return this.stop();
    this.at = at;
    this.isSolved = false;
    this.goTo(this.steps[at]);
    return this.say(`${at + 1} of ${this.steps.length}: what was played here was not the best. What would you choose?`);
  }

  stop() {
    const step = this.steps[this.at] ?? 0;
    this.steps = [];
    this.goTo(step);
    this.say("");
  }

  say(words) {
    this.said.textContent = words;
    byId("learning").hidden = this.steps.length === 0;
  }

  /** Whether a step is a puzzle that waits for an answer. */
  asks(step) {
    return !this.isSolved && this.steps[this.at] === step;
  }

  /** Take the name of a choice as the answer. */
  answer(name, textOf) {
    const judged = this.analysis.of(this.steps[this.at]);
    const lost = judged.chances[judged.best] - judged.chances[name];
    this.isSolved = true;
    this.goTo(this.steps[this.at]);
    const best = `The best was: ${within(textOf(judged.best))}.`;
    if (lost <= 0) this.say("Right: that was the best.");
    else if (lost <= this.analysis.found.as_good) this.say(`Right: nearly as good as the best. ${best}`);
    else this.say(`Not quite: that costs ${inPoints(lost)} percentage points of the chance to win. ${best}`);
  }
}
