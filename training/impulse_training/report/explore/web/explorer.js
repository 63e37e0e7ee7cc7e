// The page: holds the current node and the selection of lines.

const TRAITS = ["agent", "seat", "players", "race", "home"];

function linesOf(count) {
  return count === 1 ? "1 line" : `${number(count)} lines`;
}

class Explorer {
  constructor(openings) {
    this.openings = openings;
    this.moves = new Moves(openings, byId("moves"));
    this.path = new Path(openings, byId("path"));
    this.example = new Example(openings, byId("board"), byId("caption"));
    this.games = new Games(openings, byId("list"), byId("more"));
    this.offerFilters();
    this.listen();
    this.goToHash();
  }

  offerFilters() {
    for (const name of TRAITS) {
      const select = byId(name);
      const found = [...this.openings.values(name)].sort(([a, many], [b, few]) =>
        name === "home" ? few - many : a < b ? -1 : 1,
      );
      select.replaceChildren(
        make("option", { value: "", text: "any" }),
        ...found.map(([value, lines]) =>
          make("option", { value, text: `${this.word(name, value)} (${number(lines)})` }),
        ),
      );
      select.closest("label").hidden = found.length < 2;
      select.addEventListener("change", () => this.count());
    }
    byId("all").addEventListener("click", () => {
      for (const name of TRAITS) byId(name).value = "";
      this.count();
    });
  }

  word(name, value) {
    if (name !== "home") return String(value);
    return this.openings.data.cards[value] ?? "none";
  }

  count() {
    const asked = TRAITS.map((name) => [name, byId(name).value]);
    const wanted = asked.filter(([, value]) => value !== "");
    this.openings.filter(Object.fromEntries(wanted));
    byId("all").disabled = wanted.length === 0;
    this.show();
  }

  listen() {
    addEventListener("hashchange", () => this.goToHash());
    const keys = {
      ArrowUp: () => this.focus(-1),
      ArrowDown: () => this.focus(1),
      ArrowRight: () => (this.focused() ?? this.links()[0])?.click(),
      ArrowLeft: () => this.back(),
      Home: () => this.go(ROOT),
    };
    onKeys(keys, ({ target }) => target.closest("select, #board") !== null);
    byId("all").disabled = true;
    const { judge } = this.openings.data;
    byId("legend").textContent =
      "Bars: how often a move was played here, and its win rate. A line spans the 95 % interval; " +
      "a notch marks par, the win rate if all sides were equally strong." +
      (judge === "" ? "" : ` Chances to win before and after the move: by ${judge}.`);
  }

  links() {
    return [...byId("moves").querySelectorAll("tbody a")];
  }

  focused() {
    return this.links().find((link) => link === document.activeElement);
  }

  focus(direction) {
    const links = this.links();
    const now = links.indexOf(document.activeElement);
    const next = now < 0 && direction < 0 ? links.length - 1 : now + direction;
    links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
  }

  // Go to the beginning of the last move, to take it back.
  back() {
    let node = this.node;
    const { parent } = this.openings.data.nodes;
    if (node === ROOT) return;
    for (;;) {
      const above = parent[node];
      const isWithin = !this.openings.choice(node).begins;
      if (!isWithin || this.openings.moves(above).length > 1) return this.go(above);
      node = above;
    }
  }

  go(node) {
    location.hash = String(node);
  }

  goToHash() {
    const node = Number(location.hash.slice(1));
    this.node = node in this.openings.children ? node : ROOT;
    const hadFocus = this.focused() !== undefined;
    this.show();
    if (hadFocus) this.links()[0]?.focus();
  }

  show() {
    const { openings, node } = this;
    this.moves.show(node);
    this.path.show(node);
    this.example.show(node);
    this.games.show(node);
    byId("legend").hidden = byId("moves").hidden;
    this.tell();
    const played = openings.played[node];
    const followed = openings.children[node].reduce((sum, at) => sum + openings.played[at], 0);
    byId("here").textContent = this.wordsHere(played);
    byId("rest").textContent = this.wordsRest(played - followed, openings.depths[node]);
  }

  tell() {
    const { games, leftOut } = this.openings.data;
    const lines = this.openings.data.lines.game.length;
    const counted = this.openings.lines.length;
    const some = counted < lines ? `${number(counted)} of ${linesOf(lines)}` : linesOf(lines);
    const left = leftOut > 0 ? ` (${number(leftOut)} more begin in the middle)` : "";
    byId("summary").textContent = `${some}, games: ${number(games.name.length)}${left}`;
  }

  wordsHere(played) {
    if (played === 0) return "None of these lines reach this node.";
    const { openings, node } = this;
    const won = openings.won[node];
    const [low, high] = wilson(won, played);
    const interval = `${Math.round(100 * low)}–${Math.round(100 * high)}`;
    const par = percent(openings.par[node] / played);
    return `${linesOf(played)} here: won ${percent(won / played)} (95 %: ${interval}), par ${par}.`;
  }

  wordsRest(rest, depth) {
    const { data } = this.openings;
    if (rest === 0) return "";
    if (depth >= data.depth) return `The tree ends here, after ${data.depth} choices.`;
    return `${linesOf(rest)} continue with moves played fewer than ${data.least} times, or end here.`;
  }
}

openPage((data) => new Explorer(new Openings(data)));
