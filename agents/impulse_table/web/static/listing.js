// The tables that their hosts have listed; a person who opens one watches.

import { byId, make, show } from "/kit/elements.js";

const REFRESH_MS = 15_000;

function row({ name, players, seats, taken, over }) {
  const link = make("a", { href: `/table/${name}`, text: players.join(" – ") });
  const how = over ? "over" : `${taken} of ${seats} ${seats === 1 ? "person" : "people"} here`;
  return make("li", {}, link, make("span", { text: how }));
}

async function list() {
  const response = await fetch("/api/tables").catch(() => null);
  if (!response?.ok) return;
  const { tables } = await response.json();
  if (!byId("listed-tables").contains(document.activeElement)) {
    byId("listed-tables").replaceChildren(...tables.map(row));
  }
  show(byId("listed"), tables.length > 0);
}

/** Show the listed tables, and refresh the list regularly. */
export function listTables() {
  list();
  setInterval(() => document.hidden || list(), REFRESH_MS);
}
