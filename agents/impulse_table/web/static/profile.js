// The profile of this browser's decisions: a table by kind of decision.

import { byId, capital, make, show } from "/kit/elements.js";

const percent = (share) => `${(100 * share).toFixed(1)}\u00a0%`;
const lost = ({ loss, error }) => `${(100 * loss).toFixed(1)}${error === null ? "" : ` ±\u00a0${(200 * error).toFixed(1)}`}`;

const HEAD = ["Kind of decision", "Decisions", "Mistakes", "Lost", "Accuracy"];

function row(title, line) {
  const cells = [line.decisions, line.mistakes, lost(line), percent(line.accuracy)];
  return make("tr", {}, make("th", { scope: "row", text: title }), ...cells.map((text) => make("td", { text })));
}

/** Show the profile of the analysed games; without one, hide it. */
export function tellProfile({ games, topics, all, recent, before }) {
  show(byId("profile"), topics.length > 0);
  if (!topics.length) return;
  byId("profile-title").textContent = `Your decisions in ${games} analysed game${games === 1 ? "" : "s"}`;
  byId("topics").replaceChildren(
    make("thead", {}, make("tr", {}, ...HEAD.map((text) => make("th", { scope: "col", text })))),
    make("tbody", {}, ...topics.map((line) => row(capital(line.topic), line))),
    make("tfoot", {}, row("All", all)),
  );
  byId("trend").textContent = recent ? `Lost per decision in your last 10 games: ${lost(recent)} % of the win; before: ${lost(before)} %.` : "";
}
