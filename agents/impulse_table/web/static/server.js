// What the server says, or that it says nothing.

import { byId, show } from "/kit/elements.js";

export const SILENT = "The server does not answer; is it still running?";

/** Say what went wrong, in the line that pages have for it. */
export function complain(message) {
  byId("fault").textContent = message;
  show(byId("fault"), Boolean(message));
}

/** Pages are sent with disabled buttons, as nothing would hear them before their script does. */
export function enableButtons() {
  for (const button of document.querySelectorAll("button:disabled")) button.disabled = false;
}
