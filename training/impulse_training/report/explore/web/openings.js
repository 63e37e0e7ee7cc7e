// The tree and its lines, counted again for each selection of lines.

const ROOT = 0;

class Openings {
  constructor(data) {
    this.data = data;
    this.count = data.nodes.parent.length;
    this.children = Array.from({ length: this.count }, () => []);
    this.depths = new Int32Array(this.count);
    for (let node = 1; node < this.count; node += 1) {
      const parent = data.nodes.parent[node];
      this.children[parent].push(node);
      this.depths[node] = this.depths[parent] + 1;
    }
    this.played = new Int32Array(this.count);
    this.filter({});
  }

  text(number) {
    return this.data.texts[number];
  }

  choice(node) {
    const { turn, step, text, begins } = this.data.nodes;
    return {
      turn: turn[node],
      step: this.text(step[node]),
      text: this.text(text[node]),
      begins: begins[node] === 1,
    };
  }

  // The value of a line for a filter.
  trait(name, line) {
    const { lines, games } = this.data;
    const game = lines.game[line];
    const seat = lines.seat[line];
    if (name === "agent") return this.text(games.agents[game][seat]);
    if (name === "players") return games.agents[game].length;
    if (name === "race") return this.text(lines.race[line]);
    return name === "seat" ? numberOf(seat) : lines.home[line];
  }

  values(name) {
    const found = new Map();
    this.data.lines.game.forEach((_, line) => {
      const value = this.trait(name, line);
      found.set(value, (found.get(value) ?? 0) + 1);
    });
    return found;
  }

  // Count the lines that have all of these traits, values as text by name.
  filter(wanted) {
    const { lines } = this.data;
    const asked = Object.entries(wanted);
    this.lines = [...lines.game.keys()].filter((line) =>
      asked.every(([name, value]) => String(this.trait(name, line)) === value),
    );
    this.played = new Int32Array(this.count);
    this.won = new Float64Array(this.count);
    this.par = new Float64Array(this.count);
    this.before = this.sums(lines.before);
    this.after = this.sums(lines.after);
    for (const line of this.lines) {
      for (let node = lines.node[line]; node >= ROOT; node = this.data.nodes.parent[node]) {
        this.played[node] += 1;
        this.won[node] += lines.won[line];
        this.par[node] += lines.par[line];
      }
    }
  }

  // By node, the sum and the number of the chances of the lines, which are by choice.
  sums(chances) {
    if (chances === undefined) return null;
    const sums = { sum: new Float64Array(this.count), number: new Int32Array(this.count) };
    for (const line of this.lines) {
      let node = this.data.lines.node[line];
      for (let at = chances[line].length - 1; at >= 0; at -= 1) {
        if (chances[line][at] !== null) {
          sums.sum[node] += chances[line][at] / 1000;
          sums.number[node] += 1;
        }
        node = this.data.nodes.parent[node];
      }
    }
    return sums;
  }

  mean(sums, node) {
    return sums === null || sums.number[node] === 0 ? null : sums.sum[node] / sums.number[node];
  }

  path(node) {
    const found = [];
    for (let at = node; at > ROOT; at = this.data.nodes.parent[at]) found.unshift(at);
    return found;
  }

  // The moves played from a node, the most played first: each is a chain of nodes without branches.
  moves(node) {
    return this.children[node]
      .filter((child) => this.played[child] > 0)
      .map((child) => this.chain(child))
      .sort((a, b) => this.played[b[0]] - this.played[a[0]] || a[0] - b[0]);
  }

  chain(node) {
    const chain = [node];
    for (;;) {
      const last = chain.at(-1);
      const next = this.children[last].filter((child) => this.played[child] > 0);
      const goesOn = next.length === 1 && !this.choice(next[0]).begins;
      if (!goesOn || this.played[next[0]] < this.played[last]) return chain;
      chain.push(next[0]);
    }
  }

  // The lines that go through a node.
  through(node) {
    const { parent } = this.data.nodes;
    return this.lines.filter((line) => {
      let at = this.data.lines.node[line];
      while (this.depths[at] > this.depths[node]) at = parent[at];
      return at === node;
    });
  }
}
