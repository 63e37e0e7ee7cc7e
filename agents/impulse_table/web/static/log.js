// The log of the game, newest entry last.

import { byId, make } from "/kit/elements.js";

const SLACK = 40;
const list = byId("entries");

// The list follows its end, unless a person has scrolled up.
let isAtEnd = true;
list.addEventListener("scroll", () => {
  isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < SLACK;
});
new ResizeObserver(follow).observe(list);

function follow() {
  if (isAtEnd) list.scrollTop = list.scrollHeight;
}

function entryOf({ step, events }, by) {
  const [decision, ...outcomes] = events;
  const entry = make("li", {}, make("span", { text: decision.text }));
  entry.dataset.step = step;
  if (decision.text.startsWith(`Seat ${by} `)) entry.classList.add("own");
  const notes = outcomes.filter(({ kind }) => kind !== "turn");
  if (notes.length) {
    const lines = notes.map(({ kind, text }) => make("li", { className: kind, text: text }));
    entry.append(make("ul", {}, ...lines));
  }
  return entry;
}

const turnOf = ({ events }) => events.find(({ kind }) => kind === "turn");

/** Add new entries; replace all of them when the viewpoint has changed. */
export function addToLog({ whole, log, by }) {
  if (whole) {
    list.replaceChildren();
    isAtEnd = true;
  }
  for (const entry of log) {
    list.append(entryOf(entry, by));
    const turn = turnOf(entry);
    if (turn) list.append(make("li", { className: "turn", text: turn.text }));
  }
  follow();
}
