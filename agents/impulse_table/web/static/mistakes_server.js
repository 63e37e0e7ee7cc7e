// Questions to the server about the mistakes in this browser's games, and words of its answers.

import { Refusal } from "./following.js";

/** Ask, and return the answer, or throw a `Refusal`; a signal ends the question. */
export async function ask(what, body, signal) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`/api/mistakes${what}`, { method: "POST", headers, body: JSON.stringify(body), signal });
  const answer = await response.json();
  if (!response.ok) throw new Refusal(answer.message);
  return answer;
}

/** When a puzzle comes back. */
export const inDays = (days) => (days === 1 ? "tomorrow" : `in ${days} days`);
