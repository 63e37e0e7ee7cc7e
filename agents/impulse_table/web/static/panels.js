// Layout of the hand and of the players' panels in the available room.

import { isNarrow } from "./views.js";

const CARD = { width: 109, height: 79, left: 4, top: 21 };
const LARGEST = 3;
const MARGIN = 8;
const LEAST_IMPULSE = 3;
const HAND_LINE = 36;
/** A panel of less room, in the page's letters, has its parts below each other. */
const NARROW = { below: 33, width: 360, height: 296, techs: 22, minerals: [-224, 102], rows: 100 };
/** Places in a narrow panel of things from the first line: the points, and the ships below. */
const SCORE = "translate(-132 0)";
const SHIPS = "translate(-94 24)";

const letter = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The scale at which some cards fit into a room, in a number of columns. */
function scaleOf(count, columns, { width, height }) {
  const rows = Math.ceil(count / columns);
  const across = columns * CARD.width + 2 * CARD.left;
  const down = rows * CARD.height + CARD.top + CARD.left;
  return Math.min(LARGEST, width / across, height / down);
}

/** The number of columns that makes the cards largest; a narrow page has one row that scrolls. */
function columnsFor(count, room) {
  if (isNarrow()) return Math.max(count, 1);
  const columns = Array.from({ length: Math.max(count, 1) }, (_, index) => index + 1);
  return columns.sort((one, other) => scaleOf(count, other, room) - scaleOf(count, one, room) || other - one)[0];
}

/** Lay the cards of the hand side by side, and its panel around them. */
export function layHand(tile) {
  const panel = tile.querySelector("rect");
  const { clientWidth, clientHeight } = tile.parentElement;
  const room = { width: clientWidth, height: clientHeight };
  if (!panel || !room.height) return;
  const cards = [...tile.querySelectorAll("[data-face]")];
  const columns = columnsFor(cards.length, room);
  const scale = isNarrow()
    ? room.height / (CARD.height + CARD.top + CARD.left)
    : scaleOf(cards.length, columns, room);
  const [x, y] = ["x", "y"].map((side) => Number(panel.getAttribute(side)));
  const least = columns * CARD.width + 2 * CARD.left;
  const [width, height] = [Math.max(least, room.width / scale), room.height / scale];
  cards.forEach((card, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    for (const side of ["x", "y"]) card.removeAttribute(side);
    const place = [x + CARD.left + CARD.width * column, y + CARD.top + CARD.height * row];
    card.setAttribute("transform", `translate(${place.join(" ")})`);
  });
  panel.setAttribute("width", width - 2);
  panel.setAttribute("height", height - 2);
  tile.classList.toggle("whole", least * scale <= room.width + 1);
  tile.setAttribute("viewBox", `${x - 1} ${y - 1} ${width} ${height}`);
}

/** The box of the Impulse's panel, cut off beside its cards: the panel has its maximal width. */
export function impulseBox(tile) {
  const panel = tile.querySelector("rect");
  panel.dataset.width ??= panel.getAttribute("width");
  const columns = Math.max(tile.querySelectorAll("[data-face]").length, LEAST_IMPULSE);
  panel.setAttribute("width", Math.min(panel.dataset.width, columns * CARD.width + MARGIN + CARD.left));
  return panel.getBBox();
}

/** The height of the hand's line, which the own panel leaves out: the hand has a tile of its own. */
const lineOfHand = (tile) => (tile.closest("#own") ? HAND_LINE : 0);

/** Lay out a panel, with its parts below each other in little room; return its box. */
export function layPanel(tile) {
  const frame = tile.querySelector("[id^=part-seat-] > rect");
  frame.dataset.size ??= `${frame.getAttribute("width")} ${frame.getAttribute("height")}`;
  const room = tile.parentElement.clientWidth;
  const isHigh = room > 0 && room < NARROW.below * letter();
  tile.classList.toggle("narrow", isHigh);
  const [width, height] = isHigh ? [NARROW.width, NARROW.height] : frame.dataset.size.split(" ").map(Number);
  const shown = height - lineOfHand(tile);
  frame.setAttribute("width", width);
  frame.setAttribute("height", shown);
  const [score, ships] = tile.querySelectorAll("[id^=part-seat-] > text[text-anchor=end]");
  move(score, isHigh && SCORE);
  move(ships, isHigh && SHIPS);
  const [x, y] = ["x", "y"].map((side) => Number(frame.getAttribute(side)));
  for (const part of tile.children) {
    const [kind] = part.id.slice("part-".length).split("-");
    if (kind !== "seat") move(part, isHigh && narrowPlace(kind, part, x));
  }
  return { x, y, width, height: shown };
}

function move(element, place) {
  if (place) element?.setAttribute("transform", place);
  else element?.removeAttribute("transform");
}

function narrowPlace(kind, part, left) {
  if (kind === "techs") return `translate(0 ${NARROW.techs})`;
  if (kind === "minerals") return `translate(${NARROW.minerals.join(" ")})`;
  const { x, y, width } = part.getBBox();
  const scale = Math.min(1, (NARROW.width - MARGIN) / Math.max(x + width - left, 1));
  return `translate(${left * (1 - scale)} ${y * (1 - scale) + NARROW.rows}) scale(${scale})`;
}
