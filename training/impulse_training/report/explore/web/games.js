// The games through a node, and the board of one of them.

const AT_ONCE = 15;

class Games {
  constructor(openings, place, more) {
    this.openings = openings;
    this.place = place;
    this.more = more;
    more.addEventListener("click", () => this.add());
  }

  show(node) {
    this.node = node;
    const { games, lines } = this.openings.data;
    const hasPage = (line) => games.page[lines.game[line]] !== "";
    const through = this.openings.through(node);
    this.lines = [...through.filter(hasPage), ...through.filter((line) => !hasPage(line))];
    this.shown = 0;
    this.place.replaceChildren();
    this.add();
  }

  add() {
    const next = this.lines.slice(this.shown, this.shown + AT_ONCE);
    this.place.append(...next.map((line) => this.entry(line)));
    this.shown += next.length;
    this.more.hidden = this.shown >= this.lines.length;
  }

  entry(line) {
    const { data } = this.openings;
    const { games, lines } = data;
    const game = lines.game[line];
    const seat = lines.seat[line];
    const names = games.agents[game].map((agent) => this.openings.text(agent));
    const others = this.counted(names.filter((_, other) => other !== seat));
    const entry = make("li", {}, markOf(seat));
    entry.append(make("strong", { text: names[seat] }), ` on ${seatName(seat)} against ${others}: `);
    entry.append(make("span", { text: this.result(game, seat) }), " ");
    entry.append(this.name(line));
    return entry;
  }

  // Names in the order of the seats, without duplicates.
  counted(names) {
    const counts = new Map();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts].map(([name, seats]) => (seats > 1 ? `${seats} × ${name}` : name)).join(", ");
  }

  // How a game ended, with the seat's own score first.
  result(game, seat) {
    const { games } = this.openings.data;
    const all = games.scores[game];
    const scores = [all[seat], ...all.filter((_, other) => other !== seat)].join("–");
    if (games.winners[game].includes(seat)) return `won, ${scores}`;
    if (games.winners[game].length > 0) return `lost, ${scores}`;
    return `${this.openings.text(games.end[game])}, ${scores}`;
  }

  // The name of a game, as a link to this node on its replay page if it has one.
  name(line) {
    const { games, lines } = this.openings.data;
    const game = lines.game[line];
    if (games.page[game] === "") return make("small", { text: games.name[game] });
    const depth = this.openings.depths[this.node];
    const step = depth === 0 ? 0 : lines.steps[line][depth - 1];
    return make("a", { href: `${games.page[game]}#${step}`, text: `replay ${games.name[game]}` });
  }
}

class Example {
  constructor(openings, place, caption) {
    this.openings = openings;
    this.board = new Board(place);
    this.caption = caption;
    this.eyes = new Map();
  }

  show(node) {
    const { boards, nodes } = this.openings.data;
    let at = node;
    while (at > ROOT && !(at in boards.nodes)) at = nodes.parent[at];
    const drawn = boards.nodes[at];
    this.caption.closest("section").hidden = drawn === undefined;
    if (drawn === undefined) return;
    const parts = drawn.parts.map((part) => boards.fragments[part]);
    this.board.show(this.eye(at, drawn), { parts });
    this.caption.textContent = this.words(node, at, drawn);
  }

  // The viewpoint of this picture, for `Board`, which starts again for another one.
  eye(at, drawn) {
    if (!this.eyes.has(at)) this.eyes.set(at, { parts: drawn.parts, size: drawn.size });
    return this.eyes.get(at);
  }

  words(node, at, drawn) {
    const { data } = this.openings;
    const { games, lines } = data;
    const game = lines.game[drawn.line];
    const seat = lines.seat[drawn.line];
    const agent = this.openings.text(games.agents[game][seat]);
    const seen = data.eyes === "seat" ? "as this seat sees it" : "as everybody sees it";
    const after = drawn.step === 0 ? "the deal" : `decision ${drawn.step}`;
    const words = [`${seatWith(seat, agent)} after ${after} in ${games.name[game]}, ${seen}.`];
    if (at !== node) words.push("Later choices were too rare for a picture: this is the board before them.");
    if (!drawn.own) {
      words.push("Moves are named as if this seat's home were on the left; here it is not.");
    }
    return words.join(" ");
  }
}
