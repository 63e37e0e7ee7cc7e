// What is said aloud to who does not see the page: one sentence for a move, or what is to be decided.

import { byId } from "/kit/elements.js";

export function speak({ whole, log, over, decides, by }) {
  const isYours = decides !== null && decides === by;
  const last = log.at(-1)?.events[0].text;
  if (over || isYours) byId("spoken").textContent = byId("prompt").textContent;
  else if (last && !whole) byId("spoken").textContent = last;
}
