// The actions of things on the board: what a click on each asks for.

import { byId } from "/kit/elements.js";

const TILES = { hand: "#tile-hand", plan: "[id^=part-plan-]", minerals: "[id^=part-minerals-]" };
/** Half of what a finger covers, in pixels. */
const REACH = 22;
const OFFERS = "#tile-impulse, #tile-table, #tile-map, [id^=part-plan-]";

/** The clickable things of the board. */
export const things = () => document.querySelectorAll("main svg [data-face], main svg [data-action]");

/**
 * The action of an element in a state; null if it has none for this seat.
 *
 * A card in the zone of the decision means that card, the card on offer means using it, and any
 * other card means the cell or the Tech slot that it is in.
 */
export function actionOf(element, state) {
  const face = element.dataset.face;
  if (face) {
    const zone = element.closest(TILES[state.zone]);
    const isOwn = state.zone === "hand" || zone?.id.endsWith(`-${state.by}`);
    if (zone && isOwn) return face;
    const isOffered = face === state.offered && element.closest(OFFERS);
    if (isOffered && state.options.some(({ action }) => action === "use")) return "use";
  }
  const holder = element.closest("[data-action]");
  if (!holder) return null;
  const slots = holder.closest("[data-seat]");
  if (slots && Number(slots.dataset.seat) !== state.by) return null;
  return holder.dataset.action;
}

/**
 * The gate that a finger means: the nearest one of the choices within a finger's width, unless the
 * middle of the thing below the finger is nearer; null if there is none.
 */
export function gateNear({ clientX, clientY }, below) {
  const distance = (thing) => {
    const { left, top, width, height } = (thing.querySelector(".pill, .dot") ?? thing).getBoundingClientRect();
    return Math.hypot(left + width / 2 - clientX, top + height / 2 - clientY);
  };
  const gates = [...document.querySelectorAll("#tile-map .legal[data-action^=gate]")];
  const limit = below?.classList.contains("legal") ? Math.min(distance(below), REACH) : REACH;
  return gates.filter((gate) => distance(gate) < limit).sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

const thingOf = (event) => event.target.closest?.("main [data-face], main [data-action]");

/** Call with the thing of the board that a click means, or a finger. */
export function onClickedThing(choose) {
  byId("table").addEventListener("click", (event) => {
    const below = thingOf(event);
    const isFinger = event.pointerType === "touch" && event.target.closest("#tile-map");
    const thing = (isFinger && gateNear(event, below)) || below;
    if (thing && !thing.closest("#options")) choose(thing);
  });
}

/** The thing of the board that has the focus when a key presses it; null if there is none. */
export function pressedThing(event) {
  const thing = thingOf(event);
  return thing instanceof SVGElement && (event.key === "Enter" || event.key === " ") ? thing : null;
}

/** Whether a card shares the name of the place that it fills: a cell of the map, a Tech. */
export function fillsPlace(thing) {
  return "face" in thing.dataset && Boolean(thing.closest("g[data-action]"));
}

/** Whether a click on the board can choose an action, so that its sentence is a second way. */
export function isOnBoard(action) {
  return /^(card|cell|gate) /.test(action);
}
