// What a thing on the board stands for: the action that a click on it asks for.

const TILES = { hand: "#tile-hand", plan: "[id^=part-plan-]", minerals: "[id^=part-minerals-]" };
const OFFERS = "#tile-impulse, #tile-table, #tile-map, [id^=part-plan-]";

/** The clickable things of the board. */
export const things = () => document.querySelectorAll("main svg [data-face], main svg [data-action]");

/**
 * The action that an element stands for in a state; null if it is none of this seat's.
 *
 * A card in the place that the decision is about stands for that card, the card on offer for
 * using it, and any other card for the cell or the Tech slot that it lies in.
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

/** Whether a card is named with the place that it fills: a cell of the map, a Tech. */
export function fillsPlace(thing) {
  return "face" in thing.dataset && Boolean(thing.closest("g[data-action]"));
}

/** Whether an action is shown on the board, so that its sentence is only the second way to it. */
export function isOnBoard(action) {
  return /^(card|cell|gate) /.test(action);
}
