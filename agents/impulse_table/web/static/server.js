// Messages about the server's errors and silence.

import { Refusal } from "./following.js";
import { byId, show } from "/kit/elements.js";

export const SILENT = "The server does not answer; is it still running?";

/** Show an error message in the page's line for it; an empty one hides the line. */
export function complain(message) {
  byId("fault").textContent = message;
  show(byId("fault"), Boolean(message));
}

/** Do what may fail; the page says why. */
export async function attempt(work) {
  try {
    await work();
    complain("");
  } catch (error) {
    complain(error instanceof Refusal ? error.message : SILENT);
  }
}

/** Enable the buttons. Pages arrive with disabled ones, which do nothing before their script runs. */
export function enableButtons() {
  for (const button of document.querySelectorAll("button:disabled")) button.disabled = false;
}
