// The others' latest moves: marks on the board, and a list for a page without log.

import { byId, make } from "/kit/elements.js";

const MOST = 12;
const LINES = 2;
const GAPS = 12;
const MARKED = /^(cell|gate|impulse|table)/;
/** How much larger than the outline of a thing its mark is. */
const SCALES = { polygon: 0.86, rect: 1.2, circle: 3 };

const list = byId("latest");

const isBy = (by, { seat }) => seat === by;

/** The entries since the last decision of a seat; for a spectator, the last one. */
function since(log, by) {
  if (by === null) return log.slice(-1);
  return log.slice(log.findLastIndex((entry) => isBy(by, entry)) + 1);
}

/** Whether some news begin anew, instead of continuing those before. */
const beginsAnew = (log, by) => log.length > 0 && (by === null || log.some((entry) => isBy(by, entry)));

/** The latest moves of the others, which stay until their next ones. */
let moves = [];
/** Whether this page has decided since then. */
let areOld = false;

/** The moves of others in words; for a spectator, the last move. */
export function tellLatest({ whole, log, by }) {
  if (whole) [moves, areOld] = [[], false];
  for (const entry of log) {
    if (isBy(by, entry)) areOld = true;
    else {
      moves = [...(areOld || by === null ? [] : moves.slice(1 - MOST)), entry];
      areOld = false;
    }
  }
  if (!whole && !log.length) return;
  const words = ({ events }) => events.filter(({ kind }) => kind !== "turn").map(({ text }) => text).join(" ");
  list.replaceChildren(...moves.map((entry) => make("li", { text: words(entry) })));
  layLatest();
}

const rooms = new ResizeObserver(layLatest);
for (const room of [list, byId("decision"), byId("prompt")]) rooms.observe(room);

/**
 * Show whole moves: the newest one, and those before it that fit beside it.
 *
 * While others decide, the list has all the room that is left; else two lines, and more for a long
 * last move, as long as a choice stays in sight.
 */
function layLatest() {
  const heights = [...list.children].map((each) => each.getBoundingClientRect().height);
  if (!heights.at(-1)) return;
  list.style.maxHeight = "";
  const { lineHeight, flexShrink } = getComputedStyle(list);
  const line = Number.parseFloat(lineHeight);
  const isShort = flexShrink === "0";
  const most = Math.max(1, Math.floor(roomAboveChoices() / line)) * line;
  const room = isShort ? Math.min(LINES * line, most) : list.clientHeight;
  let shown = heights.pop();
  while (heights.length && shown + heights.at(-1) <= room + 1) shown += heights.pop();
  list.style.maxHeight = `${isShort ? Math.min(shown, most) : shown}px`;
  list.scrollTop = heights.reduce((sum, height) => sum + height, 0);
}

/** The height of a list that leaves the first choice in sight. */
function roomAboveChoices() {
  const [decision, choice] = [byId("decision"), byId("options").firstElementChild];
  const above = list.getBoundingClientRect().top + decision.scrollTop + document.body.scrollTop;
  const bottom = Math.min(decision.getBoundingClientRect().bottom, innerHeight);
  return bottom - above - (choice?.offsetHeight ?? 0) - GAPS;
}

/** The marks on the board: the parts of the drawing that have changed. */
export class Marks {
  constructor() {
    this.recent = new Set();
  }

  /**
   * Follow the state of the table.
   * @param parts the elements by the names of the parts
   */
  update({ whole, log, by, parts: changed }, parts) {
    if (whole || beginsAnew(log, by)) this.recent.clear();
    if (!whole && since(log, by).length) {
      for (const name of Object.keys(changed).filter((each) => MARKED.test(each))) this.recent.add(name);
    }
    for (const [name, element] of parts) mark(element, this.recent.has(name));
  }
}

function mark(element, isRecent) {
  if (element.classList.contains("recent") === isRecent) return;
  element.classList.toggle("recent", isRecent);
  element.querySelector(".news")?.remove();
  if (!isRecent || !element.dataset.action) return;
  const outline = element.firstElementChild.cloneNode();
  outline.setAttribute("class", "news");
  outline.setAttribute("transform", `scale(${SCALES[outline.tagName]})`);
  element.firstElementChild.after(outline);
}
