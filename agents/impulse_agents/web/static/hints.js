// What an agent would do, with what it says for it.

import { playing, usual } from "./agents.js";
import { byId, fill, make, show } from "./elements.js";

const percent = (share) => `${Math.round(100 * share)} %`;

function wordsFor({ share, visits, wins }) {
  if (wins !== null) return `wins ${percent(wins)} (${visits} tries)`;
  return share === null ? "its choice" : percent(share);
}

function rowOf(suggestion) {
  const { share, text } = suggestion;
  const bar = make("span", { className: "share" });
  bar.style.width = `${100 * (share ?? 1)}%`;
  const words = make("span", { textContent: `${wordsFor(suggestion)}: ${text}` });
  return make("li", { title: words.textContent }, bar, words);
}

export class Hints {
  /** @param ask called with the name of the agent that is asked */
  constructor(ask) {
    this.ask = () => {
      byId("hint").replaceChildren(make("li", { textContent: `${byId("adviser").value} is thinking …` }));
      ask(byId("adviser").value);
    };
    byId("hint-button").addEventListener("click", this.ask);
  }

  /** Who may be asked is known once it is known how many play. */
  advisers(agents) {
    this.agents = agents;
    this.offer();
  }

  offer() {
    if (!this.agents || !this.players) return;
    const names = playing(this.agents, this.players).map(([name]) => [name, name]);
    fill(byId("adviser"), names, usual(this.agents, this.players));
    this.agents = null;
  }

  update({ step, decides, by, seats }) {
    this.players = seats.length;
    this.offer();
    const isYours = decides !== null && decides === by;
    show(byId("hinting"), isYours);
    if (step !== this.step) byId("hint").replaceChildren();
    this.step = step;
  }

  tell({ step, suggestions, wins }) {
    if (step !== this.step) return;
    const rows = suggestions.map(rowOf);
    if (wins !== null) {
      rows.push(make("li", { className: "wins", textContent: `your chance to win: ${percent(wins)}` }));
    }
    byId("hint").replaceChildren(...rows);
  }

  silence() {
    byId("hint").replaceChildren();
  }
}
