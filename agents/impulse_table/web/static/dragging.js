// Dragging beside clicks: a card of the hand, or the moving fleet, goes to a place that is a choice now.

import { byId, make, makeSvg, markOf } from "/kit/elements.js";
import { actionOf, gateNear } from "./targets.js";

const SLACK = 8;
const MARK = 44;
/** The kinds of decision in which a card of the hand goes to the own panel. */
const TO_PANEL = ["trade_card", "mine_card", "plan_card", "research_card"];

/** A part of the page, or the button of its view if that is not on the screen. */
function inSight(part, view) {
  return part?.checkVisibility() ? part : document.querySelector(`#views [data-view=${view}]`);
}

const placeOnMap = (name) => document.querySelector(`#tile-map [data-action="${name}"]`);

const homeOf = (seat) => document.querySelector(`#tile-map [data-action^=cell]:has(.home.rim${seat})`);

/** Where a card of the hand goes in a decision; empty: nowhere on the page. */
function placesFor({ kind, by, onto }) {
  if (kind === "add_impulse") return [inSight(byId("tile-impulse"), "common")];
  if (TO_PANEL.includes(kind)) return [inSight(byId(`tile-player-${by}`), "everyone")];
  if (kind === "place_home") return [inSight(homeOf(by), "map")];
  if (onto === null) return [];
  const isBattle = kind === "reinforce" && byId("tile-table").checkVisibility();
  return [inSight(placeOnMap(onto), "map"), ...(isBattle ? [byId("tile-table")] : [])];
}

/** What can be dropped where: pairs of a place and an action that is a choice now. */
function dropsOf(thing, state) {
  const isLegal = (action) => state.options.some((option) => option.action === action);
  if (thing.closest("#tile-hand")) {
    const action = actionOf(thing, state);
    const places = isLegal(action) ? placesFor(state) : [];
    return places.filter((place) => place?.checkVisibility()).map((place) => [place, action]);
  }
  if (state.moving === null || thing.closest("#tile-map [data-action]")?.dataset.action !== state.moving) return [];
  return [...document.querySelectorAll("#tile-map g.legal")].map((place) => [place, place.dataset.action]);
}

export class Dragging {
  /** @param choose called with the action that a drop stands for */
  constructor(choose) {
    Object.assign(this, { choose, state: null, held: null, isOver: false });
    addEventListener("pointerdown", (event) => this.press(event), true);
    addEventListener("pointermove", (event) => this.move(event), true);
    addEventListener("pointerup", (event) => this.drop(event), true);
    addEventListener("pointercancel", () => this.cancel(), true);
    addEventListener("keydown", ({ key }) => key === "Escape" && this.cancel(), true);
    // The click that ends a drag chooses nothing.
    addEventListener("click", (event) => this.isOver && event.detail && event.stopPropagation(), true);
  }

  /** Follow the state of the table. */
  update(state) {
    this.state = state;
  }

  press(event) {
    this.cancel();
    this.isOver = false;
    const thing = event.target.closest?.("main svg [data-face], main svg [data-action]");
    if (!thing || !event.isPrimary || event.button !== 0 || !this.state?.options.length) return;
    const drops = dropsOf(thing, this.state);
    if (drops.length) this.held = { thing, drops, id: event.pointerId, x: event.clientX, y: event.clientY };
  }

  move(event) {
    const { held } = this;
    if (held?.id !== event.pointerId) return;
    // The button was released where this page could not notice it.
    if (!event.buttons) return this.cancel();
    const { clientX, clientY } = event;
    if (!held.shadow && Math.hypot(clientX - held.x, clientY - held.y) < SLACK) return;
    // An enlarged map stays where it is.
    event.stopPropagation();
    if (!held.shadow) this.begin();
    held.shadow.style.translate = `${clientX}px ${clientY}px`;
    const below = this.below(event);
    for (const [place] of held.drops) place.classList.toggle("over", place === below?.[0]);
  }

  begin() {
    const { held } = this;
    held.shadow = shadowOf(held.thing, this.state.by);
    document.body.append(held.shadow);
    document.body.classList.add("dragging");
    for (const [place] of held.drops) place.classList.add("drop");
  }

  /** The place and the action below the pointer; undefined elsewhere. */
  below(event) {
    const hit = document.elementFromPoint(event.clientX, event.clientY);
    const gate = event.pointerType === "touch" && hit?.closest("#tile-map") ? gateNear(event, hit.closest("[data-action]")) : null;
    const { drops } = this.held;
    return drops.find(([place]) => place === gate) ?? drops.find(([place]) => place.contains(hit));
  }

  drop(event) {
    if (this.held?.id !== event.pointerId) return;
    const below = this.held.shadow && this.below(event);
    this.cancel();
    if (below) this.choose(below[1]);
  }

  /** End a drag without a choice. */
  cancel() {
    if (this.held?.shadow) {
      this.isOver = true;
      this.held.shadow.remove();
      document.body.classList.remove("dragging");
      for (const [place] of this.held.drops) place.classList.remove("drop", "over");
    }
    this.held = null;
  }
}

/** A picture of what is dragged: the card, or the sign of the seat. */
function shadowOf(thing, seat) {
  const shadow = make("div", { id: "dragged", ariaHidden: "true" });
  if (!thing.closest("#tile-hand")) {
    shadow.append(markOf(seat, 14));
    shadow.style.width = `${MARK}px`;
    return shadow;
  }
  const { x, y, width, height } = thing.getBBox();
  const copy = thing.cloneNode(true);
  for (const name of ["transform", "tabindex", "role", "aria-label", "data-face"]) copy.removeAttribute(name);
  shadow.append(makeSvg("svg", { class: "impulse", viewBox: `${x} ${y} ${width} ${height}` }, copy));
  shadow.style.width = `${thing.getBoundingClientRect().width}px`;
  return shadow;
}
