// Points over time, a line for each seat, and below them by source at the step shown.

const CHART = { width: 600, height: 190, left: 26, right: 30, top: 10, bottom: 22 };
const DASHES = ["", "8 3", "2 3", "10 3 2 3", "5 5", "1 4"];

class Chart {
  constructor(game, place, table, goTo) {
    this.game = game;
    this.table = table;
    this.goTo = goTo;
    const most = Math.max(game.data.target, ...game.scores.flat());
    const { width, height, left, right, top, bottom } = CHART;
    this.x = (step) => left + ((width - left - right) * step) / Math.max(game.data.steps, 1);
    this.y = (points) => height - bottom - ((height - top - bottom) * points) / most;
    this.now = makeSvg("line", { class: "now", y1: top, y2: height - bottom });
    const svg = makeSvg(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        class: "impulse plot",
        role: "img",
        "aria-label": "Points of each seat after each step; a click goes to the step",
      },
      ...this.axes(most),
      ...game.seats.map((seat) => this.curve(seat)),
      ...this.ends(),
      this.now,
    );
    svg.addEventListener("pointerdown", (event) => this.follow(svg, event));
    svg.addEventListener("pointermove", (event) => {
      if (event.buttons === 1) this.follow(svg, event);
    });
    place.replaceChildren(svg);
    this.buildTable();
  }

  axes(most) {
    const { width, left, right, height } = CHART;
    const drawn = [];
    for (let points = 0; points <= most; points += 5) {
      const y = this.y(points);
      drawn.push(makeSvg("line", { class: "grid", x1: left, x2: width - right, y1: y, y2: y }));
      drawn.push(this.label(left - 5, y + 4, String(points), "end"));
    }
    drawn.push(this.label(left, height - 6, "step 0", "start"));
    drawn.push(this.label(width - right, height - 6, String(this.game.data.steps), "end"));
    return drawn;
  }

  label(x, y, text, anchor) {
    const made = makeSvg("text", { x, y, "text-anchor": anchor });
    made.textContent = text;
    return made;
  }

  curve(seat) {
    let path = "";
    let last = null;
    this.game.scores.forEach((scores, step) => {
      if (scores[seat] === last && step < this.game.data.steps) return;
      const x = this.x(step).toFixed(1);
      path += last === null ? `M${x} ${this.y(scores[seat])}` : `H${x}V${this.y(scores[seat])}`;
      last = scores[seat];
    });
    const style = `stroke:var(--seat${seat})`;
    return makeSvg("path", { class: "curve", d: path, style, "stroke-dasharray": DASHES[seat] });
  }

  // The mark of each seat at the end of its curve, set apart where two would meet.
  ends() {
    const last = this.game.scores[this.game.data.steps];
    const x = CHART.width - CHART.right + 13;
    const order = [...this.game.seats].sort((a, b) => last[a] - last[b]);
    let free = CHART.height - CHART.bottom + 8;
    return order.map((seat) => {
      const y = Math.min(this.y(last[seat]), free);
      free = y - 17;
      return makeSvg("use", { href: `#mark-${seat}`, transform: `translate(${x} ${y}) scale(.8)` });
    });
  }

  follow(svg, event) {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * CHART.width;
    const { width, left, right } = CHART;
    this.goTo(Math.round(((x - left) / (width - left - right)) * this.game.data.steps));
  }

  buildTable() {
    const { sources } = this.game.data;
    const head = ["seat", ...sources, "all"].map((text) => make("th", { text, scope: "col" }));
    this.cells = this.game.seats.map(() => [...sources, "all"].map(() => make("td")));
    const rows = this.game.seats.map((seat) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, markOf(seat), make("span", { class: "spoken", text: `Seat ${seat}` })),
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
    const x = this.x(step);
    this.now.setAttribute("x1", x);
    this.now.setAttribute("x2", x);
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
