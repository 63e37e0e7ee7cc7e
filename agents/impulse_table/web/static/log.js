// The log of the game, newest entry last.

import { byId, make } from "/kit/elements.js";

const SLACK = 40;
const list = byId("entries");

// The list follows its end until a person scrolls up. A list that shrinks is no longer at its end
// either, but its first visible line stays.
let isAtEnd = true;
let top = 0;
list.addEventListener("scroll", () => {
  const isThere = list.scrollHeight - list.scrollTop - list.clientHeight < SLACK;
  isAtEnd = isThere || (isAtEnd && list.scrollTop >= top);
  top = list.scrollTop;
});
new ResizeObserver(follow).observe(list);

function follow() {
  if (isAtEnd) list.scrollTop = list.scrollHeight;
}

/** A sentence about a seat, with the name of the person there. */
const withName = (text, name) => (name === null ? text : text.replace(/^Seat \d/, (seat) => `${seat} (${name})`));

function entryOf({ step, seat, events }, by, seats) {
  const [decision, ...outcomes] = events;
  const entry = make("li", {}, make("span", { text: withName(decision.text, seats[seat].name) }));
  entry.dataset.step = step;
  if (seat === by) entry.classList.add("own");
  const notes = outcomes.filter(({ kind }) => kind !== "turn");
  if (notes.length) {
    const lines = notes.map(({ kind, text }) => make("li", { className: kind, text: text }));
    entry.append(make("ul", {}, ...lines));
  }
  return entry;
}

/** Add a line that is no entry of the game. */
export function addLine(line) {
  list.append(line);
  follow();
}

const turnOf = ({ events }) => events.find(({ kind }) => kind === "turn");

/** Add new entries; replace all of them when the viewpoint has changed. */
export function addToLog({ whole, log, by, seats }) {
  if (whole) {
    list.replaceChildren();
    isAtEnd = true;
  }
  for (const entry of log) {
    list.append(entryOf(entry, by, seats));
    const turn = turnOf(entry);
    if (turn) list.append(make("li", { className: "turn", text: turn.text }));
  }
  follow();
}
