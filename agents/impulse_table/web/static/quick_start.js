// Games that start with one button: a usual game, a first game, today's deal.

import { keepLevel, levelChosen, levelsAt, levelText, strengthOf } from "./agents.js";
import { byId, fill, make, show } from "/kit/elements.js";
import { games } from "./games.js";
import { HERE, startBy } from "./starting.js";

const PLAYERS = 2;

/** A button for a game of two against the agent of the chosen level. */
function offerGame(setup) {
  const levels = levelsAt(setup, PLAYERS);
  const select = byId("play-level");
  fill(select, levels.map((one) => [one.name, levelText(one)]), levelChosen(setup));
  const chosen = () => levels.find(({ name }) => name === select.value).agent;
  const tell = () => {
    const agent = chosen();
    byId("play-about").textContent = `${agent}: ${setup.agents[agent]}; ${strengthOf(setup.measured, agent, PLAYERS)}.`;
  };
  select.addEventListener("change", () => {
    keepLevel(select.value);
    tell();
  });
  tell();
  byId("play-now").addEventListener("click", () => {
    const body = JSON.stringify({ seats: ["person", chosen()], ...setup.clock });
    startBy(byId("play-now"), "/api/tables", body, [HERE]);
  });
}

export function offerQuickStart(setup) {
  offerGame(setup);
  for (const [id, path] of [["first-game", "/api/first"], ["todays-deal", "/api/today"]]) {
    byId(id).addEventListener("click", () => startBy(byId(id), path, "", [HERE]));
  }
  byId("today-about").textContent = `Everybody who starts it today gets the same cards, and the opponent ${setup.opponents.join(", ")} with the same luck.`;
  show(byId("first-visit"), games().length === 0);
  tellToday();
}

async function tellToday() {
  const response = await fetch("/api/today");
  if (!response.ok) return;
  const { day, results } = await response.json();
  byId("today-title").textContent = `Today's deal, ${day}`;
  byId("results").replaceChildren(...results.map(({ line }) => make("li", { text: line })));
  show(byId("no-results"), results.length === 0);
}
