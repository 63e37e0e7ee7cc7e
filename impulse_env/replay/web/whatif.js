// What if: other choices are tried, agents play on, or play a position out many times.

const LOCAL = ["127.0.0.1", "localhost"]; // what another machine cannot reach
const PLAYOUTS = 100;
const PLAYOUTS_AT_ONCE = 20;
const ASK_AFTER_MS = 200; // so that whoever steps through a branch asks no agent about every position

class WhatIf {
  constructor(player, goTo) {
    this.player = player;
    this.branches = player.branches;
    this.goTo = goTo;
    this.tree = new Tree(player, goTo);
    this.isRunning = false;
  }

  /** What the panel of the decision needs to let choices be tried; null without a server. */
  trying() {
    if (!this.branches.server) return null;
    const parentOf = ({ node, step }) => node ?? this.branches.root(step);
    return {
      isTried: (at, row) => parentOf(at).children.some(({ code }) => code === codeOf(row)),
      take: (at, row) => {
        byId("choices").focus({ preventScroll: true });
        this.goTo(row === at.chosen ? at.step + 1 : this.branches.child(parentOf(at), codeOf(row)));
      },
    };
  }

  begin() {
    const isLive = Boolean(this.branches.server);
    byId("what-if").hidden = !isLive && !this.player.analysis.found;
    byId("what-if-tools").hidden = !isLive;
    if (!isLive) {
      byId("what-if-how").textContent =
        "To try other choices, open this game's record in impulse play: Analyse a recorded game, on its start page.";
      return;
    }
    document.body.classList.add("live");
    byId("points").prepend(byId("chart"));
    for (const until of ["choice", "turn", "end"]) {
      byId(`play-${until}`).addEventListener("click", () => this.run(() => this.playOn(until)));
    }
    byId("play-out").addEventListener("click", () => this.run(() => this.playOut()));
    byId("stop").addEventListener("click", () => {
      this.stopping.abort();
    });
    byId("as-text").addEventListener("click", () => this.run(() => this.tellText()));
    byId("copy-text").addEventListener("click", () => this.copy(byId("text").textContent, byId("copy-text")));
    byId("close-text").addEventListener("click", () => byId("text-dialog").close());
    byId("copy-link").addEventListener("click", () => this.copy(location.href, byId("copy-link")));
    this.run(() => this.offerAgents());
  }

  say(words) {
    byId("what-if-said").textContent = words;
  }

  /** Say that an address led elsewhere. */
  stray(words) {
    byId("astray").textContent = words;
    byId("astray").hidden = !words;
  }

  async offerAgents() {
    const { agents, usual } = await (await this.branches.ask("")).json();
    byId("agent").replaceChildren(...agents.map((name) => make("option", { text: name })));
    byId("agent").value = usual;
  }

  /** The position that is shown, as an address. */
  at() {
    return this.player.node?.at ?? String(this.player.step);
  }

  show(at) {
    this.stray("");
    if (!this.branches.server) return;
    this.tree.show();
    this.enable();
    byId("shares").hidden = byId("shares").dataset.at !== this.at();
    clearTimeout(this.asking);
    const { node } = at;
    if (node === null || node.thought || at.choices.length === 0) return;
    this.asking = setTimeout(() => this.askAbout(node), ASK_AFTER_MS);
  }

  // --- Agents -----------------------------------------------------------------------------------

  async askAbout(node) {
    try {
      const { answer } = await (await this.branches.ask("/values", { at: node.at })).json();
      const { by, best, chances, shares } = answer;
      const wins = best === undefined ? answer.wins : chances[best];
      const words = [wins !== null && `chance to win ${inPercent(wins)}`, shares && "how readily it would choose"];
      node.thought = { ...answer, words: `${by}: ${words.filter(Boolean).join("; ")}` };
    } catch (error) {
      if (this.player.node === node) this.say(error.message);
      return;
    }
    if (this.player.node !== node) return;
    this.player.decision.show(node.seen.get(this.player.eye));
    this.player.presses.changed(); // the choices are in another order now
  }

  /** Do something that takes time, one thing at a time, until it is done or stopped. */
  async run(what) {
    if (this.isRunning) return;
    [this.isRunning, this.stopping] = [true, new AbortController()];
    this.say("");
    this.enable();
    try {
      await what();
    } catch (error) {
      this.say(this.stopping.signal.aborted ? "Stopped." : error.message);
    }
    this.isRunning = false;
    this.enable();
  }

  enable() {
    const { seat } = this.player.shown ?? { seat: NOTHING };
    for (const button of byId("what-if-tools").querySelectorAll(".asks")) {
      button.disabled = this.isRunning || seat === NOTHING;
    }
    byId("stop").hidden = !this.isRunning;
  }

  async playOn(until) {
    const agent = byId("agent").value;
    const { signal } = this.stopping;
    let [at, isDone] = [this.at(), false];
    try {
      while (!isDone) {
        const { answer } = await (await this.branches.ask("/play", { at, agent, until }, signal)).json();
        // Whoever looks at something else meanwhile is left there.
        const isFollowed = this.at() === at;
        [at, isDone] = [answer.at, answer.done];
        if (isFollowed) await this.player.go(at);
        else await this.branches.load(this.branches.node(at), this.player.eye);
      }
    } finally {
      this.tree.show();
    }
  }

  async playOut() {
    const [at, agent] = [this.at(), byId("agent").value];
    const { signal } = this.stopping;
    const wins = this.player.game.seats.map(() => 0);
    let games = 0;
    while (games < PLAYOUTS) {
      this.say(`Played out ${games} of ${PLAYOUTS} times …`);
      const body = { at, agent, first: games, count: PLAYOUTS_AT_ONCE };
      const { answer } = await (await this.branches.ask("/playouts", body, signal)).json();
      answer.forEach((won, seat) => {
        wins[seat] += won;
      });
      games += PLAYOUTS_AT_ONCE;
      this.tellShares(at, agent, wins, games);
    }
    this.say("");
  }

  tellShares(at, agent, wins, games) {
    const where = at.includes("~") ? "this position of the branch" : `step ${at}`;
    const percent = (share) => (100 * share).toFixed(0);
    const rows = wins.map((won, seat) => {
      const [low, high] = wilson(won, games);
      const bar = make("td", { class: "bar", "aria-hidden": "true" });
      bar.style.setProperty("--share", won / games);
      bar.style.setProperty("--low", low);
      bar.style.setProperty("--high", high);
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, markOf(seat), make("span", { text: `Seat ${numberOf(seat)}` })),
        make("td", { text: `${percent(won / games)} %` }),
        make("td", { text: `${percent(low)}–${percent(high)} %` }),
        bar,
      );
    });
    const caption = `Won in ${games} playouts from ${where} by ${agent}, with the 95 % interval`;
    byId("shares").replaceChildren(make("caption", { text: caption }), make("tbody", {}, ...rows));
    byId("shares").dataset.at = at;
    byId("shares").hidden = at !== this.at();
  }

  // --- Texts ------------------------------------------------------------------------------------

  async tellText() {
    const asked = this.branches.query(this.at(), this.player.eye);
    byId("text").textContent = await (await this.branches.ask(`/text?${asked}`)).text();
    byId("copy-text").textContent = "Copy";
    byId("text-dialog").showModal();
  }

  async copy(text, button) {
    await copyText(text, button);
    const before = button.dataset.words ?? button.textContent;
    button.dataset.words = before;
    const isLocal = button.id === "copy-link" && LOCAL.includes(location.hostname);
    button.textContent = isLocal ? "Copied, for this machine alone" : "Copied";
    setTimeout(() => {
      button.textContent = before;
    }, 2000);
  }
}
