// The controls: one place that knows which position is shown, and by whose eyes.

class Player {
  constructor(game) {
    this.game = game;
    this.step = 0;
    this.node = null; // of a branch; null in the game itself
    this.eye = game.data.eyes[0];
    this.timer = null;
    this.presses = new Presses("#choices button, #learning button, #tree button");
    const goTo = (where) => {
      this.pause();
      this.go(where);
    };
    this.slider = byId("slider");
    this.where = byId("where");
    this.playButton = byId("play");
    this.speed = byId("speed");
    this.eyes = byId("eyes");
    this.slider.max = game.data.steps;
    this.board = new Board(byId("board"));
    this.log = new Log(game, byId("log"), goTo);
    this.analysis = new Analysis(game, goTo, (step) => {
      goTo(step);
      reveal();
    });
    this.branches = new Branches(game);
    this.whatIf = new WhatIf(this, goTo);
    this.decision = new DecisionPanel(game, this.analysis, this.whatIf.trying());
    this.board.show(this.eye, game.at(this.eye, 0)); // it defines the marks that the others use
    this.chart = new Chart(game, byId("chart"), byId("sources"), goTo);
    this.listen(goTo);
    this.introduce();
    this.whatIf.begin();
  }

  listen(goTo) {
    this.slider.addEventListener("input", () => goTo(Number(this.slider.value)));
    byId("first").addEventListener("click", () => goTo(0));
    byId("back").addEventListener("click", () => goTo(this.before()));
    byId("forward").addEventListener("click", () => goTo(this.after()));
    byId("last").addEventListener("click", () => goTo(this.end()));
    this.playButton.addEventListener("click", () => this.toggle());
    this.speed.addEventListener("change", () => {
      if (this.timer !== null) this.play();
    });
    this.eyes.addEventListener("change", () => {
      this.eye = this.game.data.eyes[this.eyes.selectedIndex];
      this.go(this.node ?? this.step);
    });
    const isTaken = ({ key, target }) =>
      target.closest("select, dialog") !== null || (key === " " && target.closest("button") !== null);
    const keys = {
      ArrowLeft: () => goTo(this.before()),
      ArrowRight: () => goTo(this.after()),
      PageUp: () => goTo(this.turnFrom(-1)),
      PageDown: () => goTo(this.turnFrom(1)),
      Home: () => goTo(0),
      End: () => goTo(this.end()),
      ArrowUp: () => goTo(this.beside(-1) ?? 0),
      ArrowDown: () => goTo(this.beside(1) ?? this.end()),
      j: () => goTo(this.after()),
      k: () => goTo(this.before()),
      n: () => goTo(this.analysis.next(this.step, 1)),
      p: () => goTo(this.analysis.next(this.step, -1)),
      " ": () => this.toggle(),
    };
    onKeys(keys, isTaken);
  }

  introduce() {
    const { data } = this.game;
    byId("agents").replaceChildren(
      ...data.agents.map((agent, seat) => {
        const isTeams = data.teams < data.agents.length;
        const team = isTeams ? ` (team ${numberOf(seat % data.teams)})` : "";
        const line = make("li", {}, markOf(seat), make("span", { text: agent + team }));
        if (data.winners.includes(seat)) line.append(make("strong", { text: "won" }));
        return line;
      }),
    );
    this.eyes.replaceChildren(...data.eyes.map((eye) => make("option", { text: forPeople(eye.name) })));
    byId("eyes-label").classList.toggle("only", data.eyes.length === 1);
    let ending = "";
    if (data.end === NOTHING) ending = "The record was cut off.";
    else if (!data.is_over) ending = `Not played to the end: ${forPeople(data.why)}`;
    byId("ending").textContent = ending;
  }

  // --- Where to go: a step is a number, a position of a branch its node ---------------------------

  before() {
    if (this.node === null) return this.step - 1;
    const { parent } = this.node;
    return parent.parent === null ? this.step : parent;
  }

  after() {
    if (this.node === null) return this.step + 1;
    return this.node.children[0] ?? this.node;
  }

  /** The end of the game, or of the branch. */
  end() {
    if (this.node === null) return this.game.data.steps;
    let last = this.node;
    while (last.children.length) [last] = last.children;
    return last;
  }

  /** What else was chosen at the decision that led here; null if nothing was. */
  beside(direction) {
    const parent = this.node === null ? this.branches.roots.get(this.step - 1) : this.node.parent;
    if (!parent) return null;
    const all = parent.parent === null ? [parent.step + 1, ...parent.children] : parent.children;
    if (all.length < 2) return null;
    const at = all.indexOf(this.node ?? this.step) + direction;
    return all[Math.min(Math.max(at, 0), all.length - 1)];
  }

  turnFrom(direction) {
    if (this.node === null) return this.game.turnFrom(this.step, direction);
    const turnOf = (node) => node.seen.get(this.eye)?.turn;
    let there = this.node;
    for (;;) {
      const next = direction > 0 ? there.children[0] : there.parent;
      if (next === undefined) return there;
      if (next.parent === null) return this.step;
      there = next;
      if (turnOf(there) !== turnOf(this.node)) return there;
    }
  }

  /** Show a step, or a position of a branch, which may have to be asked for. */
  async go(where) {
    this.going = where;
    if (typeof where === "number") {
      const step = Math.min(Math.max(where, 0), this.game.data.steps);
      this.show(this.game.at(this.eye, step));
      return;
    }
    if (typeof where === "string") {
      await this.go(where.includes("~") ? this.branches.node(where) : Number(where));
      return;
    }
    try {
      await this.branches.load(where, this.eye);
      if (this.going === where) this.show(where.seen.get(this.eye));
    } catch (error) {
      this.branches.prune(where);
      this.whatIf.say(error.message);
    }
  }

  show(at) {
    this.shown = at;
    this.step = at.step;
    this.node = at.node;
    const { steps } = this.game.data;
    const deep = at.node === null ? "" : ` + ${pathOf(at.node).length}`;
    this.slider.value = this.step;
    this.where.textContent = `${this.step}${deep} of ${steps}, turn ${at.turn}`;
    this.slider.setAttribute("aria-valuetext", this.where.textContent);
    this.board.show(this.eye, at);
    this.decision.show(at);
    this.log.show(this.eye, at);
    this.chart.show(at);
    this.analysis.show(this.step);
    this.whatIf.show(at);
    this.presses.changed();
    history.replaceState(null, "", `#${at.node?.at ?? this.step}`);
    if (at.node === null ? this.step === steps : at.node.children.length === 0) this.pause();
  }

  /** Open the end of an address, or say in a sentence why that is not possible. */
  async open(text) {
    const { steps } = this.game.data;
    const step = Math.min(Number.parseInt(text, 10) || 0, steps);
    await this.go(step);
    if (Number.parseInt(text, 10) > steps) {
      this.whatIf.stray(`There is no step ${Number.parseInt(text, 10)}: the last one is ${steps}.`);
    } else if (WRITTEN.test(text)) {
      if (this.branches.server) await this.openBranch(text);
      else this.whatIf.stray("This address is that of a branch, which only a server can show.");
    } else if (!/^\d*$/.test(text)) {
      this.whatIf.stray(`The end of the address, #${text.slice(0, 40)}, names no position of this game.`);
    }
  }

  async openBranch(text) {
    const node = this.branches.node(text);
    try {
      await this.branches.load(node, this.eye);
      await this.go(node);
    } catch (error) {
      this.branches.prune(node);
      this.whatIf.stray(`This branch cannot be shown: ${error.message}`);
    }
  }

  toggle() {
    if (this.timer !== null) {
      this.pause();
      return;
    }
    if (this.node === null && this.step === this.game.data.steps) this.go(0);
    this.play();
  }

  play() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.go(this.after()), Number(this.speed.value));
    this.playButton.textContent = "Pause";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.playButton.textContent = "Play";
  }
}

/** Scroll to the decision, below a board that stays, and to the board. */
function reveal() {
  byId("decision").scrollIntoView({ block: "start" });
}

openPage((data) => {
  const player = new Player(new Game(data));
  show(byId("controls"), true);
  const asked = () => player.open(location.hash.slice(1).replace(/%7e/i, "~"));
  addEventListener("hashchange", asked);
  asked();
  if (data.follows) new Follower(player).begin();
});
