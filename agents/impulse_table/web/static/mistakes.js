// The page of mistakes: due puzzles from the games of this browser, and a profile.

import { byId, show } from "/kit/elements.js";
import { analyseAll } from "./analysing.js";
import { own } from "./games.js";
import { ask, inDays } from "./mistakes_server.js";
import { tellProfile } from "./profile.js";
import { attempt } from "./server.js";

const AFTER = "An analysis after the end finds your mistakes, and they come back here as puzzles.";

/** What the server knows of the games. */
let known = null;

async function load() {
  known = await ask("", { games: own() });
  byId("state").textContent = stateOf(known);
  show(byId("practise"), known.due > 0);
  const count = known.unanalysed.length;
  show(byId("unanalysed"), count > 0);
  byId("unanalysed-title").textContent = `${count} of your games ${count === 1 ? "is" : "are"} not analysed yet`;
  byId("analyse").textContent = count === 1 ? "Analyse it" : "Analyse them, one after another";
  tellProfile(known);
}

/** What there is to do, in a sentence or two. */
function stateOf({ due, games, puzzles, unanalysed, unfinished, untrained, days }) {
  if (due) return `${due} of ${puzzles} puzzle${puzzles === 1 ? "" : "s"} ${due === 1 ? "is" : "are"} due.`;
  if (puzzles) return `Nothing to repeat today. The next puzzle comes back ${inDays(days)}.`;
  if (games) return "No decision of your analysed games gave away much.";
  if (unanalysed.length) return "There are no puzzles before your games are analysed.";
  if (unfinished) return `${unfinished === 1 ? "Your game is" : "Your games are"} not over yet. ${AFTER}`;
  if (untrained) return "This server has no trained agent for your games, which would find the mistakes.";
  return `This browser has no game with a seat of yours. Play one from the start page. ${AFTER}`;
}

byId("analyse").addEventListener("click", () =>
  attempt(async () => {
    await analyseAll(known.unanalysed, load);
  }),
);

attempt(load);
