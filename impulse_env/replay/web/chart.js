// Points over time, a line for each seat, and below them by source at the step shown.

const CHART = { width: 600, height: 190, left: 26, right: 30, top: 10, bottom: 22 };

class Chart {
  constructor(game, place, table, goTo) {
    this.game = game;
    this.table = table;
    const most = Math.max(game.data.target, ...game.scores.flat());
    const label = "Points of each seat after each step; a click goes to the step";
    this.plot = new Plot(CHART, game.data.steps, most, label, goTo);
    const curves = game.seats.map((seat) => this.curve(seat));
    place.replaceChildren(this.plot.draw(...this.axes(most), ...curves, ...this.ends()));
    this.buildTable();
  }

  axes(most) {
    const { width, left, right, height } = CHART;
    const drawn = [];
    for (let points = 0; points <= most; points += 5) drawn.push(...this.plot.level(points, String(points)));
    drawn.push(this.plot.label(left, height - 6, "step 0", "start"));
    drawn.push(this.plot.label(width - right, height - 6, String(this.game.data.steps)));
    return drawn;
  }

  curve(seat) {
    let path = "";
    let last = null;
    this.game.scores.forEach((scores, step) => {
      if (scores[seat] === last && step < this.game.data.steps) return;
      const x = this.plot.x(step).toFixed(1);
      path += last === null ? `M${x} ${this.plot.y(scores[seat])}` : `H${x}V${this.plot.y(scores[seat])}`;
      last = scores[seat];
    });
    return this.plot.curve(seat, path);
  }

  // The mark of each seat at the end of its curve, set apart where two would meet.
  ends() {
    const last = this.game.scores[this.game.data.steps];
    const x = CHART.width - CHART.right + 13;
    const order = [...this.game.seats].sort((a, b) => last[a] - last[b]);
    let free = CHART.height - CHART.bottom + 8;
    return order.map((seat) => {
      const y = Math.min(this.plot.y(last[seat]), free);
      free = y - 17;
      return makeSvg("use", { href: `#mark-${seat}`, transform: `translate(${x} ${y}) scale(.8)` });
    });
  }

  buildTable() {
    const { sources } = this.game.data;
    const head = ["seat", ...sources, "all"].map((text) => make("th", { text, scope: "col" }));
    this.cells = this.game.seats.map(() => [...sources, "all"].map(() => make("td")));
    const rows = this.game.seats.map((seat) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, markOf(seat), make("span", { class: "spoken", text: `Seat ${numberOf(seat)}` })),
        ...this.cells[seat],
      ),
    );
    this.table.replaceChildren(
      make("caption", { text: "Points by source so far" }),
      make("thead", {}, make("tr", {}, ...head)),
      make("tbody", {}, ...rows),
    );
  }

  show({ step, scores, sums }) {
    this.plot.show(step);
    this.game.seats.forEach((seat) => {
      const row = [...sums[seat], scores[seat]];
      row.forEach((points, column) => {
        const cell = this.cells[seat][column];
        cell.textContent = points === 0 ? "·" : String(points);
        cell.style.setProperty("--share", points / this.game.data.target);
      });
    });
  }
}
