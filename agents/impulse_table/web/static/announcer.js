// Announcements for screen readers: one sentence for each move, or the decision to be made.

import { byId } from "/kit/elements.js";

export function speak({ whole, log, over, decides, by }) {
  const isYours = decides !== null && decides === by;
  const last = log.at(-1)?.events[0].text;
  if (over || isYours) byId("spoken").textContent = byId("prompt").textContent;
  else if (last && !whole) byId("spoken").textContent = last;
}
