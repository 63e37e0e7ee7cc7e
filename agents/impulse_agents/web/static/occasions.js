// What one button begins: a usual game, a first game, today's deal.

import { strengthOf, usual } from "./agents.js";
import { byId, make, show } from "./elements.js";
import { games } from "./games.js";
import { HERE, startBy } from "./starting.js";

const PLAYERS = 2;

export function offerOccasions({ agents, measured, opponents }) {
  const agent = usual(agents, PLAYERS);
  byId("play-about").textContent = `You against ${agent}, a ${agents[agent]}: ${strengthOf(measured, agent, PLAYERS)}.`;
  const body = JSON.stringify({ seats: ["person", agent] });
  byId("play-now").addEventListener("click", () => startBy(byId("play-now"), "/api/tables", body, [HERE]));
  for (const [id, path] of [["first-game", "/api/first"], ["todays-deal", "/api/today"]]) {
    byId(id).addEventListener("click", () => startBy(byId(id), path, "", [HERE]));
  }
  byId("today-about").textContent = `Everybody who begins it today gets the same cards, and ${opponents.join(", ")} as the opponent with the same luck.`;
  show(byId("first-visit"), games().length === 0);
  tellToday();
}

async function tellToday() {
  const response = await fetch("/api/today");
  if (!response.ok) return;
  const { day, results } = await response.json();
  byId("today-title").textContent = `Today's deal, ${day}`;
  byId("results").replaceChildren(...results.map(({ line }) => make("li", { textContent: line })));
  show(byId("no-results"), results.length === 0);
}
