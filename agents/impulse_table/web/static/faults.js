// What went wrong, in the line that pages have for it.

import { byId, show } from "./elements.js";

export const SILENT = "The server does not answer; is it still running?";

export function complain(message) {
  byId("fault").textContent = message;
  show(byId("fault"), Boolean(message));
}
