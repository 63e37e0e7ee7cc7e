// Hints: what an agent would choose, with its figures.

import { adviserAt, playing } from "./agents.js";
import { byId, fill, make, makeButton, show } from "/kit/elements.js";
import { isYours } from "./people.js";

const percent = (share) => `${Math.round(100 * share)} %`;

/** A search gives chances to win, a policy gives shares; other agents name one choice. */
function wordsFor({ share, wins }) {
  if (wins !== null) return `${percent(wins)} of the win`;
  return share === null ? "its choice" : percent(share);
}

/** The measured error of chances to win. */
const worth = (error) => (error === null ? "not calibrated" : `off by ${percent(error)} on average`);

/** The agent, its number of tries, and the meaning of its figures. */
function headOf({ by, error, suggestions }) {
  const tries = suggestions.reduce((sum, { visits }) => sum + (visits ?? 0), 0);
  if (tries) return `${by}, after ${tries} tries; chances to win (${worth(error)}):`;
  return suggestions.some(({ share }) => share !== null) ? `${by}; share of each choice:` : `${by} would:`;
}

export class Hints {
  /**
   * @param ask called with the name of the agent to ask
   * @param choose called with the action of a chosen suggestion
   * @param changed called when suggestions appear, which may move the choices
   */
  constructor(ask, choose, changed) {
    this.choose = choose;
    this.changed = changed;
    this.ask = () => {
      const adviser = byId("adviser").value;
      if (adviser === this.asked) return;
      this.asked = adviser;
      byId("hint").replaceChildren(make("li", { text: `${adviser} is thinking …` }));
      ask(adviser);
    };
    byId("hint-button").addEventListener("click", this.ask);
  }

  /** Offer advisers. They depend on the players, so this waits for the first state. */
  advisers(setup) {
    this.setup = setup;
    this.offer();
  }

  offer() {
    if (!this.setup || !this.seats) return;
    const names = playing(this.setup.agents, this.seats.length).map(([name]) => [name, name]);
    fill(byId("adviser"), names, adviserAt(this.setup, this.seats));
    this.setup = null;
  }

  update(state) {
    const { step, seats } = state;
    this.seats = seats;
    this.offer();
    show(byId("hinting"), isYours(state));
    if (step !== this.step) this.silence();
    this.step = step;
  }

  tell(advice) {
    const { step, suggestions, wins, error } = advice;
    if (step !== this.step) return;
    this.asked = null;
    const rows = [make("li", { className: "head", text: headOf(advice) })];
    rows.push(...suggestions.map((suggestion) => this.rowOf(suggestion)));
    // Beside the chances after each choice, one from elsewhere would contradict them.
    if (wins !== null && suggestions.every((suggestion) => suggestion.wins === null)) {
      rows.push(make("li", { className: "wins", text: `your chance to win: ${percent(wins)} (${worth(error)})` }));
    }
    byId("hint").replaceChildren(...rows);
    byId("hint").scrollIntoView({ block: "nearest" });
    this.changed();
  }

  rowOf(suggestion) {
    const { action, share, text, wins } = suggestion;
    const bar = make("span", { className: "share" });
    bar.style.width = `${100 * (wins ?? share ?? 1)}%`;
    const words = make("span", { text: `${wordsFor(suggestion)}: ${text}` });
    const title = `Choose it: ${words.textContent}`;
    return make("li", {}, makeButton(() => this.choose(action), { title }, bar, words));
  }

  silence() {
    this.asked = null;
    byId("hint").replaceChildren();
  }
}
