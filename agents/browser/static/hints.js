// What an agent would do, with what it says for it.

import { byId, make, show } from "./elements.js";

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

  /** Ask a trained agent at first, if there is one for so many players. */
  advisers(agents) {
    this.trained = (players) => (`policy:${players}p` in agents ? `policy:${players}p` : "ismcts:300");
  }

  update({ step, decides, by, seats }) {
    if (this.trained) {
      byId("adviser").value = this.trained(seats.length);
      this.trained = null;
    }
    const isYours = decides !== null && decides === by;
    show(byId("hinting"), isYours);
    if (step !== this.step) byId("hint").replaceChildren();
    this.step = step;
  }

  tell({ step, suggestions, value }) {
    if (step !== this.step) return;
    const rows = suggestions.map(rowOf);
    if (value !== null) {
      rows.push(make("li", { className: "value", textContent: `expects ${value.toFixed(2)} (1 is a win)` }));
    }
    byId("hint").replaceChildren(...rows);
  }

  silence() {
    byId("hint").replaceChildren();
  }
}
