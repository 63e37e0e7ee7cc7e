// Announcements for screen readers: one sentence for each move, or the decision to be made.

import { byId } from "/kit/elements.js";
import { isYours } from "./people.js";

export function speak(state) {
  const { whole, log, over } = state;
  const last = log.at(-1)?.events[0].text;
  if (over || isYours(state)) byId("spoken").textContent = byId("prompt").textContent;
  else if (last && !whole) byId("spoken").textContent = last;
}
