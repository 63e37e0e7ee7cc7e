// The end of a game: who won and how, the sources of points, the rematch and the analysis.

import { byId, copyText, make, show } from "/kit/elements.js";
import { SILENT } from "./server.js";
import { Refusal, follow } from "./following.js";
import { addressOf, gameOf, remember, tokensInAddress } from "./games.js";
import { seatWith } from "/kit/numbering.js";
import { calledAt } from "./people.js";

const ENDS = {
  score: "by points",
  elimination: "as the last with ships on the map",
  truncation: "at the turn limit",
};
/** The end of a game that its persons have ended before its end. */
const STOPPED = "stopped";
const SOURCES = {
  core_patrol: "Sector Core, patrolled",
  core_activation: "Sector Core, activated",
  trade: "Trading",
  refine: "Refining minerals",
  battle: "Battles won",
  ships: "Ships destroyed",
};

/** The panel of a finished game. */
export class GameOver {
  /**
   * @param name of the table
   * @param say sends a message to the server
   */
  constructor(name, say) {
    this.name = name;
    this.at = `/api/tables/${name}`;
    byId("rematch").addEventListener("click", () => this.playAgain(say));
    byId("analyse").addEventListener("click", () => this.analyse(""));
    byId("show-moment").addEventListener("click", () => this.analyse(`#${this.moment}`));
    byId("to-mistakes").addEventListener("click", () => location.assign("/mistakes"));
    byId("copy-line").addEventListener("click", () => this.copy());
  }

  /** Follow the state of the table. */
  async update(state) {
    this.state = state;
    show(byId("ending"), state.over);
    if (!state.over) return;
    this.tellRematch(state);
    if (this.isComplete) return;
    this.isComplete = true;
    // A guest's game has mistakes, too.
    const game = gameOf(this.name);
    if (game.here.length) remember(game);
    const response = await fetch(`${this.at}/ending`);
    if (response.ok) this.tell(await response.json());
  }

  tell({ players, winners, end, agreed, resigned, turns, scores, points, turned, line }) {
    const called = (seat) => calledAt(this.state.seats[seat]);
    const name = (seat) => (this.state.here.includes(seat) ? "You" : seatWith(seat, called(seat)));
    const inside = (seat) => name(seat).replace("You", "you").replace("Seat", "seat");
    const has = (seat) => winners.includes(seat);
    const seats = players.map((_, seat) => seat);
    seats.sort((one, other) => has(other) - has(one) || scores[other] - scores[one] || one - other);
    const result = seats.map((seat) => `${inside(seat)} ${scores[seat]}`).join(", ");
    const who = winners.map(name).join(" and ");
    let how = winners.length ? `${who} won ${ENDS[end]} in` : "Nobody won in";
    if (agreed) how = "Everybody agreed to end the game after";
    else if (end === STOPPED && !winners.length) how = "Everybody has left the game after";
    else if (end === STOPPED) how = `${who} won, because ${resigned.map(inside).join(" and ")} resigned after`;
    byId("ending-how").textContent = `${how} ${turns} turn${turns === 1 ? "" : "s"}: ${result}.`;
    show(byId("ending-turned"), Boolean(turned));
    if (turned) {
      this.moment = turned.step;
      const seat = winners.find((each) => turned.scores[each] > turned.before[each]) ?? winners[0];
      const steps = `${turned.before[seat]} to ${turned.scores[seat]} points`;
      byId("moment").textContent =
        `The turning point: turn ${turned.turn}, when ${inside(seat)} went from ${steps}. From then on ${winners.map(inside).join(" and ")} led.`;
    }
    const sorted = (values) => seats.map((seat) => values[seat]);
    this.tellPoints(seats.map(name), sorted(points), sorted(scores));
    show(byId("ending-line"), Boolean(line));
    byId("line").textContent = line ?? "";
  }

  /** A table of points: a row for each source, a column for each seat, the winner's first. */
  tellPoints(names, points, scores) {
    const row = (title, cells) => {
      const head = make("th", { scope: "row", text: title });
      return make("tr", {}, head, ...cells.map((cell) => make("td", { text: cell })));
    };
    const head = make("tr", {}, make("th", { scope: "col", text: "Points from" }));
    head.append(...names.map((name) => make("th", { scope: "col", text: name })));
    const used = Object.keys(SOURCES).filter((source) => points.some((own) => own[source]));
    byId("ending-points").replaceChildren(
      make("thead", {}, head),
      make("tbody", {}, ...used.map((source) => row(SOURCES[source], points.map((own) => own[source] ?? 0)))),
      make("tfoot", {}, row("Total", scores)),
    );
  }

  // --- Rematch ------------------------------------------------------------------------------

  tellRematch({ rematch, here, host }) {
    if (rematch && this.isGoing) this.goOn(rematch);
    const isPlaying = here.length > 0;
    show(byId("rematch"), Boolean(rematch) || isPlaying || host);
    let text = "Rematch, everybody one seat on";
    if (rematch) text = isPlaying ? "Go to the rematch" : "Watch the rematch";
    byId("rematch").textContent = text;
    byId("rematch").classList.toggle("waiting", Boolean(rematch));
  }

  playAgain(say) {
    if (this.state.rematch) return this.goOn(this.state.rematch);
    this.isGoing = true;
    return say({ type: "rematch" });
  }

  /** Go to the next table. The same tokens open it; seat 0 becomes the last one, others move down. */
  goOn(next) {
    this.isGoing = false;
    const tokens = tokensInAddress();
    const { elsewhere, host } = gameOf(this.name);
    const count = this.state.seats.length;
    const moved = Object.entries(elsewhere).map(([seat, token]) => [(Number(seat) + count - 1) % count, token]);
    if (tokens.length) remember({ name: next, here: tokens, elsewhere: Object.fromEntries(moved), host });
    location.assign(addressOf(next, tokens));
  }

  // --- Analysis -----------------------------------------------------------------------------

  /** Open the analysis once it is done, at a place: the last part of its address. */
  async analyse(place) {
    const buttons = [byId("analyse"), byId("show-moment")];
    for (const button of buttons) button.disabled = true;
    const at = `${this.at}/analysis`;
    const tell = ({ done, total }) => this.tellProgress(`Analysing: ${done} of ${total} decisions`, done / total);
    try {
      await follow(() => fetch(at, { method: "POST" }), () => at, tell);
      location.assign(`/table/${this.name}/replay${place}`);
    } catch (error) {
      this.tellProgress(error instanceof Refusal ? error.message : SILENT);
    }
    for (const button of buttons) button.disabled = false;
  }

  tellProgress(text, share) {
    show(byId("analysing"), true);
    byId("analysing-text").textContent = text;
    show(byId("analysing-bar"), share !== undefined);
    byId("analysing-bar").value = share ?? 0;
  }

  async copy() {
    await copyText(byId("line").textContent, byId("copy-line"));
    byId("copy-line").textContent = "Copied";
  }
}
