// How well it was played: chances to win over time, accuracy, and the decisions that cost most.

const PLOT = { width: 440, height: 130, left: 40, right: 10, top: 8, bottom: 12 };
const MOST_LISTED = 12;

const MOST_FORTUNES = 6;

const inPoints = (thousandths) => (thousandths / 10).toFixed(0);
const inPercent = (thousandths) => `${(thousandths / 10).toFixed(thousandths < 100 ? 1 : 0)} %`;
const withSign = (thousandths) => `${thousandths < 0 ? "−" : "+"}${inPoints(Math.abs(thousandths))}`;

class Analysis {
  /**
   * @param goTo shows a step
   * @param lead shows a step and scrolls to its decision
   */
  constructor(game, goTo, lead) {
    Object.assign(this, { game, goTo, lead, found: null, marked: [] });
    this.learning = new Learning(this, lead);
    if (game.data.analysis) this.fill(game.data.analysis);
  }

  /** Show what was found, of the whole game or of its beginning. */
  fill(found) {
    this.found = found;
    this.marked = this.found.judged
      .map((judged, step) => ({ step, seat: this.game.data.seats[step], ...judged }))
      .filter(({ mark }) => mark);
    for (const part of ["overview", "analysis"]) byId(part).hidden = false;
    byId("analysis-by").textContent = `By ${this.found.by}; losses and luck in percentage points.`;
    byId("chances").replaceChildren(this.draw());
    byId("accuracy").replaceChildren(...this.table());
    byId("costliest").replaceChildren(...this.costliest());
    byId("no-costly").hidden = this.marked.length > 0;
    const fortunes = this.fortunes();
    byId("fortunes").replaceChildren(...fortunes);
    byId("fortunes-title").hidden = fortunes.length === 0;
    this.learning.offer();
    this.plot.show(this.step ?? 0);
  }

  // --- Chances over time ------------------------------------------------------------------------

  draw() {
    const label = "Chance to win of each seat at its decisions; a click goes to the step";
    this.plot = new Plot(PLOT, this.game.data.steps, 1000, label, this.goTo);
    return this.plot.draw(
      ...[0, 500, 1000].flatMap((wins) => this.plot.level(wins, `${wins / 10} %`)),
      ...this.game.seats.map((seat) => this.curve(seat)),
      ...this.marked.map((decision) => this.dot(decision)),
    );
  }

  /** The chance to win before a decision: that after its best choice, where the choices were tried. */
  chance(step) {
    const judged = this.of(step);
    return judged ? judged.chances[judged.best] : this.found.wins[step];
  }

  /** A decision as a point of the plot. */
  point(step) {
    return [this.plot.x(step), this.plot.y(this.chance(step))];
  }

  curve(seat) {
    const steps = this.found.wins.map((_, step) => step).filter((step) => this.game.data.seats[step] === seat);
    const points = steps.map((step) => this.point(step).map((value) => value.toFixed(1)).join(" "));
    return this.plot.curve(seat, `M${points.join("L")}`);
  }

  dot({ step, seat, mark }) {
    const style = `fill:var(--seat${seat})`;
    const [cx, cy] = this.point(step);
    const title = makeSvg("title", {}, `Step ${step}, ${seatName(seat)}: ${mark}`);
    return makeSvg("circle", { class: `cost ${mark}`, cx, cy, r: mark === "blunder" ? 5 : 3.5, style }, title);
  }

  // --- Tables -----------------------------------------------------------------------------------

  table() {
    const marks = Object.keys(this.found.marks).reverse();
    const head = ["seat", "accuracy", "lost", "luck", ...marks.map((mark) => (mark === "inaccuracy" ? "inaccuracies" : `${mark}s`))];
    const rows = this.game.seats.map((seat) => {
      const share = this.found.accuracy[seat];
      const cells = [share === null ? "–" : `${(100 * share).toFixed(1)} %`];
      cells.push(inPoints(this.found.given[seat]), withSign(this.found.fortune[seat]));
      cells.push(...marks.map((mark) => String(this.marked.filter((one) => one.seat === seat && one.mark === mark).length)));
      const who = make("th", { scope: "row" }, markOf(seat), make("span", { text: this.game.data.agents[seat] }));
      return make("tr", {}, who, ...cells.map((text) => make("td", { text })));
    });
    return [
      make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { text, scope: "col" })))),
      make("tbody", {}, ...rows),
    ];
  }

  costliest() {
    const worst = [...this.marked].sort((one, other) => other.loss - one.loss).slice(0, MOST_LISTED);
    return worst.map(({ step, seat, mark, loss }) => {
      return this.entry(step, seat, `${mark}, −${inPoints(loss)} % chance to win`);
    });
  }

  /** What chance changed most, the largest first. */
  fortunes() {
    const events = this.found.luck.flatMap((luck, step) => (luck ? [{ step, luck, seat: luck.indexOf(Math.max(...luck)) }] : []));
    const largest = events.sort((one, other) => other.luck[other.seat] - one.luck[one.seat]).slice(0, MOST_FORTUNES);
    return largest.map(({ step, luck, seat }) => {
      return this.entry(step, seat, `luck, +${inPoints(luck[seat])} % chance to win`);
    });
  }

  /** A line about a step, which leads there. */
  entry(step, seat, what) {
    const text = `Step ${step}, turn ${this.game.data.turns[step]}: ${what}`;
    return make("li", {}, makeButton(() => this.lead(step), {}, markOf(seat), make("span", { text })));
  }

  // --- A step -----------------------------------------------------------------------------------

  /** What is said of a decision; null if nothing is. */
  of(step) {
    return this.found?.judged[step] ?? null;
  }

  /** The step of the next marked decision in that direction, or where one is. */
  next(step, direction) {
    const steps = this.marked.map((one) => one.step).filter((other) => direction * (other - step) > 0);
    return steps.length ? (direction > 0 ? Math.min(...steps) : Math.max(...steps)) : step;
  }

  /** What was found out about a decision, in a sentence or two. */
  words(step, textOf) {
    if (!this.found || step >= this.found.wins.length) return "";
    const judged = this.of(step);
    const said = [`Chance to win ${inPercent(this.chance(step))}.`];
    if (judged?.mark) {
      said.push(`${judged.mark === "inaccuracy" ? "An" : "A"} ${judged.mark}: it cost ${inPoints(judged.loss)} ± ${inPoints(2 * judged.error)} percentage points of that${this.later(judged)}. Better: ${within(textOf(judged.best))}.`);
    }
    const luck = this.found.luck[step]?.[this.game.data.seats[step]] ?? 0;
    if (luck) said.push(`What was drawn then ${luck > 0 ? "brought" : "cost"} it ${inPoints(Math.abs(luck))} percentage points.`);
    return said.join(" ");
  }

  /** What was left of a loss after a round more. */
  later({ later, later_error: error }) {
    return later === undefined ? "" : `, and ${inPoints(later)} ± ${inPoints(2 * error)} a round later`;
  }

  show(step) {
    this.step = step;
    this.plot?.show(step);
  }
}
