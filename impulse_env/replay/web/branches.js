// The tree of branches: what would come of other choices. A server plays them; nothing is kept there.
//
// A branch is written as the step at which it leaves the game and a code for each choice from there
// on: 28~30c. A node is a position after a choice; above the first ones of a step is its root.

const CODE = /[0-9a-y]|z[0-9a-z]{2}/g;
const WRITTEN = /^\d{1,5}~(?:[0-9a-y]|z[0-9a-z]{2})+$/;
const ESCAPE = 35;
const MOST_KEPT = 4000; // nodes that a browser remembers of a game

const codeOf = (number) =>
  number < ESCAPE ? number.toString(36) : `z${(number - ESCAPE).toString(36).padStart(2, "0")}`;

const indexOf = (code) =>
  code.length === 1 ? Number.parseInt(code, 36) : ESCAPE + Number.parseInt(code.slice(1), 36);

/** The nodes that lead to one, from the first choice of its branch. */
function pathOf(node) {
  const path = [];
  for (let one = node; one.parent !== null; one = one.parent) path.unshift(one);
  return path;
}

class Branches {
  constructor(game) {
    this.game = game;
    this.server = game.data.branches;
    this.roots = new Map();
    this.kept = `impulse-branches:${this.server}`;
    if (this.server) this.restore();
  }

  // --- The tree ---------------------------------------------------------------------------------

  root(step) {
    if (!this.roots.has(step)) {
      this.roots.set(step, { step, at: String(step), parent: null, children: [], seen: new Map() });
    }
    return this.roots.get(step);
  }

  /** The steps of the game that have branches, ascending. */
  steps() {
    return [...this.roots.keys()].filter((step) => this.roots.get(step).children.length).sort((a, b) => a - b);
  }

  /** The node after a choice, made if it is new. */
  child(parent, code, label = {}) {
    const known = parent.children.find((node) => node.code === code);
    if (known) return known;
    const at = parent.parent === null ? `${parent.step}~${code}` : parent.at + code;
    const node = { step: parent.step, at, code, parent, children: [], seen: new Map(), ...label };
    parent.children.push(node);
    return node;
  }

  /** The node that an address names, made if it is new; the address is well-formed. */
  node(at) {
    const [step, codes] = at.split("~");
    return codes.match(CODE).reduce((node, code) => this.child(node, code), this.root(Number(step)));
  }

  remove(node) {
    node.parent.children = node.parent.children.filter((other) => other !== node);
    this.save();
  }

  /** Take away what no server has confirmed. */
  prune(node) {
    for (let one = node; one.parent !== null && one.text === undefined && !one.children.length; one = one.parent) {
      this.remove(one);
    }
  }

  // --- The server -------------------------------------------------------------------------------

  /** Ask the server; a signal ends the question, and what an agent computes for it. */
  async ask(what, body, signal) {
    const how = body && { method: "POST", body: JSON.stringify(body), signal };
    let response;
    try {
      response = await fetch(`${this.server}${what}`, how);
    } catch {
      throw new Error("The server does not answer; is it still running?");
    }
    if (response.ok) return response;
    const { message } = await response.json().catch(() => ({ message: `The server says ${response.status}.` }));
    throw new Error(forPeople(message));
  }

  query(at, eye) {
    const number = this.game.data.eyes.indexOf(eye);
    const eyes = ["all", "public"][number] ?? String(eye.seat);
    return `at=${encodeURIComponent(at)}&eyes=${eyes}`;
  }

  /** Let every position up to a node be known by these eyes; throws what is wrong with the branch. */
  async load(node, eye) {
    const path = pathOf(node);
    let known = path.findLastIndex((one) => one.seen.has(eye)) + 1;
    let before = known ? path[known - 1].seen.get(eye) : this.game.at(eye, node.step);
    while (known < path.length) {
      const asked = `/positions?${this.query(node.at, eye)}&first=${known + 1}`;
      const { positions } = await (await this.ask(asked)).json();
      for (const told of positions) {
        before = this.take(path[known], before, told, eye);
        known += 1;
      }
    }
    this.save();
  }

  take(node, before, told, eye) {
    const chosen = before.choices[indexOf(node.code)];
    if (chosen) Object.assign(node, { text: chosen.text, seat: before.seat });
    const { points: sums, parts, choices, prompt, events, ...same } = told;
    const position = {
      ...same,
      step: node.step,
      node,
      sums,
      prompt: forPeople(prompt),
      events: events.map(([kind, seat, text]) => [kind, seat, forPeople(text)]),
      choices: choices.map(([name, text]) => ({ name, text: forPeople(text) })),
      chosen: NOTHING,
      note: null,
      parts: eye.parts.map((name, part) => parts[name] ?? before.parts[part]),
    };
    // The theme's colours are the page's own.
    position.parts[eye.parts.indexOf("style")] = before.parts[eye.parts.indexOf("style")];
    node.seen.set(eye, position);
    return position;
  }

  // --- What a browser remembers -----------------------------------------------------------------

  save() {
    const written = (node) => [node.code, node.text, node.seat, node.children.map(written)];
    const roots = this.steps().map((step) => [step, this.roots.get(step).children.map(written)]);
    try {
      const text = JSON.stringify(roots);
      if (text.split("[").length > 2 * MOST_KEPT) return;
      localStorage.setItem(this.kept, text);
    } catch {
      // A browser that keeps nothing shows the tree all the same.
    }
  }

  restore() {
    const read = (parent, [code, text, seat, children]) => {
      const node = this.child(parent, code, { text, seat });
      for (const one of children) read(node, one);
    };
    try {
      for (const [step, children] of JSON.parse(localStorage.getItem(this.kept) ?? "[]")) {
        if (step <= this.game.data.steps) for (const one of children) read(this.root(step), one);
      }
    } catch {
      this.roots.clear();
    }
  }
}
