// The tree of branches as nested lists: the game's own choice, below it what was tried instead.

class Tree {
  constructor(player, goTo) {
    this.player = player;
    this.goTo = goTo;
    this.place = byId("tree");
  }

  show() {
    const hadFocus = this.place.contains(document.activeElement);
    const { branches } = this.player;
    const steps = branches.steps();
    this.place.hidden = steps.length === 0;
    this.place.replaceChildren(...steps.map((step) => this.forkOf(branches.root(step))));
    const current = this.place.querySelector("[aria-current]");
    if (current === null) return;
    // Not scrollIntoView, which would move the page as well.
    this.place.scrollTop = current.offsetTop - this.place.clientHeight * 0.4;
    if (hadFocus) current.focus({ preventScroll: true });
  }

  /** What was chosen in the game at a step, and the branches that leave it there. */
  forkOf(root) {
    const { game, step, node } = this.player;
    const at = game.at(game.data.eyes[0], root.step);
    const text = at.choices[at.chosen]?.text ?? "the game was left here";
    const isCurrent = node === null && step === root.step + 1;
    const own = this.button(at.seat, `Step ${root.step}: ${text}`, isCurrent, () => this.goTo(root.step + 1));
    return make("li", { class: "row" }, own, make("ul", {}, ...root.children.map((child) => make("li", {}, this.lineOf(child)))));
  }

  /** A branch: its choices, each followed by what was tried instead of it. */
  lineOf(first) {
    const rows = [];
    for (let node = first; node; [node] = node.children) {
      rows.push(this.rowOf(node, node === first));
      const others = node === first ? [] : node.parent.children.slice(1);
      for (const other of others) rows.push(make("li", { class: "other" }, this.lineOf(other)));
    }
    return make("ul", { class: "branch" }, ...rows);
  }

  rowOf(node, isFirst) {
    const text = node.text ?? "a choice";
    const row = make("li", { class: "row" }, this.button(node.seat, text, node === this.player.node, () => this.goTo(node)));
    if (isFirst) {
      const ariaLabel = `Delete the branch: ${text}`;
      row.append(makeButton(() => this.remove(node), { class: "remove", text: "×", ariaLabel }));
    }
    return row;
  }

  button(seat, text, isCurrent, go) {
    const mark = seat === undefined ? "" : markOf(seat);
    const current = isCurrent ? { "aria-current": "step" } : {};
    return makeButton(go, current, mark, make("span", { text }));
  }

  remove(node) {
    const { player } = this;
    const isInside = player.node !== null && pathOf(player.node).includes(node);
    player.branches.remove(node);
    const { parent } = node;
    if (isInside) this.goTo(parent.parent === null ? parent.step : parent);
    else this.show();
    player.presses.changed();
  }
}
