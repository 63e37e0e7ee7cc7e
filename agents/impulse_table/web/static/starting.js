// Start of a game: the server makes a table, and this page goes there.

import { SILENT, complain } from "./server.js";
import { addressOf, remember } from "./games.js";

export const HERE = "here";
export const ELSEWHERE = "elsewhere";

/**
 * Ask for a table, and go there.
 * @param path of the request
 * @param body of the request, JSON as text
 * @param seats HERE or ELSEWHERE for each seat of a person
 */
async function start(path, body, seats) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body });
  const answer = await response.json();
  if (!response.ok) {
    complain(answer.message);
    return;
  }
  const tokensOf = (kind) =>
    Object.entries(answer.tokens).filter(([seat]) => seats[seat] === kind);
  const here = tokensOf(HERE).map(([, token]) => token);
  const elsewhere = Object.fromEntries(tokensOf(ELSEWHERE));
  remember({ name: answer.name, here, elsewhere, host: answer.host });
  location.assign(addressOf(answer.name, here));
}

/** Do the same; meanwhile the pressed button is disabled and says so. */
export async function startBy(button, path, body, seats) {
  const label = button.textContent;
  button.disabled = true;
  button.textContent = "Dealing …";
  complain("");
  try {
    await start(path, body, seats);
  } catch {
    complain(SILENT);
  }
  button.disabled = false;
  button.textContent = label;
}
