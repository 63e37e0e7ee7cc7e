// An analysis that a server is still making: it fills in, and stops if the page goes.

class Follower {
  constructor(player) {
    this.player = player;
    this.at = player.game.data.follows;
    byId("analysing-stop").addEventListener("click", () => this.stopping.abort());
    byId("analysing-again").addEventListener("click", () => this.begin());
  }

  async begin() {
    this.stopping = new AbortController();
    this.tell("Analysing …", 0, true);
    try {
      await this.follow();
    } catch (error) {
      const words = this.stopping.signal.aborted ? "The analysis has stopped." : error.message;
      this.tell(words, undefined, false);
    }
  }

  async follow() {
    let answer = await this.ask({ method: "POST" });
    for (;;) {
      const { ready, running, fault, done, total, analysis } = answer;
      if (fault) throw new Error(fault);
      if (analysis) this.take(analysis);
      if (ready) break;
      // A second pass explains what was costly.
      const words = done < total || !analysis ? `Analysing: ${done} of ${total}` : `Explaining: ${done - total} of ${total}`;
      this.tell(`${words} decisions`, done / total / (analysis ? 2 : 1), true);
      answer = await (running ? this.ask({}, `?seen=${done}`) : this.ask({ method: "POST" }));
    }
    // Without a trained agent, the page that the server has now has notes beside the decisions; after
    // a restart, or while the server analyses another game, only that page has the whole analysis.
    if (!answer.analysis) location.reload();
    byId("analysing").hidden = true;
  }

  async ask(how, query = "") {
    const { signal } = this.stopping;
    const response = await fetch(`${this.at}${query}`, { ...how, signal }).catch((error) => {
      if (signal.aborted) throw error;
      throw new Error("The server does not answer; is it still running?");
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.message);
    return answer;
  }

  /** Show what is known by now; a decision that somebody looks at changes only by what is new. */
  take(analysis) {
    const { player } = this;
    const { step } = player;
    const before = JSON.stringify([player.analysis.found?.wins[step], player.analysis.of(step)]);
    player.analysis.fill(analysis);
    const now = JSON.stringify([analysis.wins[step], player.analysis.of(step)]);
    if (player.node !== null || before === now) return;
    player.decision.show(player.shown);
    player.presses.changed();
  }

  tell(words, share, isRunning) {
    byId("overview").hidden = false;
    byId("analysing").hidden = false;
    byId("analysing-text").textContent = words;
    byId("analysing-bar").hidden = share === undefined;
    byId("analysing-bar").value = share ?? 0;
    byId("analysing-stop").hidden = !isRunning;
    byId("analysing-again").hidden = isRunning;
  }
}
