// Analyses of games one after another, which a person can stop.

import { byId, show } from "/kit/elements.js";
import { Refusal } from "./following.js";
import { tokensAt } from "./games.js";
import { ask } from "./mistakes_server.js";

let stopping = null;

/** Show the progress in a game: a second pass explains what was costly. */
function tell(number, count, { done, total }) {
  const pass = done < total ? `${done} of ${total} decisions` : `${done - total} of ${total} decisions explained`;
  byId("analysing-text").textContent = `Game ${number + 1} of ${count}: ${pass}`;
  byId("analysing-bar").value = done / total / 2;
}

async function analyse(table, tokens, tellState, signal) {
  let seen = -1;
  for (;;) {
    const state = await ask("/analysis", { table, tokens, seen }, signal);
    if (state.fault) throw new Refusal(state.fault);
    tellState(state);
    if (state.ready) return;
    seen = state.done;
  }
}

/**
 * Analyse games until all are done or the person stops it; the server stops, too, once nobody asks.
 * @param games {table, decisions} of each
 * @param loaded called after each game
 */
export async function analyseAll(games, loaded) {
  stopping = new AbortController();
  const { signal } = stopping;
  const hadFocus = document.activeElement === byId("analyse");
  show(byId("analyse"), false);
  for (const thing of ["analysing", "stop"]) show(byId(thing), true);
  if (hadFocus) byId("stop").focus();
  try {
    for (const [number, { table, decisions }] of games.entries()) {
      tell(number, games.length, { done: 0, total: decisions });
      await analyse(table, tokensAt(table), (state) => tell(number, games.length, state), signal);
      await loaded();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    show(byId("analyse"), true);
    for (const thing of ["analysing", "stop"]) show(byId(thing), false);
  }
}

byId("stop").addEventListener("click", () => stopping?.abort());
