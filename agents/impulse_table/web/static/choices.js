// The decision: what is asked, and a sentence for everything that may be chosen.

import { loaded } from "./cards.js";
import { byId, make, makeButton, show } from "/kit/elements.js";
import { nameOf } from "./names.js";
import { calledAt } from "./people.js";
import { actionOf, fillsPlace, isOnBoard, things } from "./targets.js";

const SETUP = ["draft_race", "place_home"];
const TYPING_MS = 2000;

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** First what cannot be clicked on the board, using before declining; then the rest. */
function rank(action) {
  if (isOnBoard(action)) return 3;
  return { use: 0, pass: 2 }[action] ?? 1;
}

export class Choices {
  /** @param choose called with the action that was chosen */
  constructor(choose) {
    this.choose = choose;
    this.box = byId("options");
    addEventListener("keydown", () => (this.hasKeyboard = true));
    addEventListener("pointerdown", () => (this.hasKeyboard = false));
    this.box.addEventListener("keydown", (event) => this.walk(event));
    this.box.addEventListener("focusin", (event) => this.point(event.target.dataset?.action));
    this.box.addEventListener("focusout", () => this.point(null));
    this.box.addEventListener("pointerover", (event) => this.point(event.target.dataset?.action));
    this.box.addEventListener("pointerleave", () => this.point(null));
    loaded.then(() => this.state && this.mark());
  }

  update(state) {
    this.state = state;
    // A page that is told more while a person makes up their mind must not take the focus away.
    const key = `${state.step} ${state.by} ${state.options.map(({ action }) => action)}`;
    if (key !== this.key) {
      this.key = key;
      const places = [document.body, byId("prompt"), ...this.box.children];
      const hadFocus = places.includes(document.activeElement);
      this.lay(state.options);
      if (hadFocus) this.takeFocus();
    }
    this.mark();
  }

  lay(options) {
    const ordered = [...options].sort((one, other) => rank(one.action) - rank(other.action));
    this.buttons = ordered.map(({ action, text }, index) => {
      const key = make("kbd", { text: index + 1 });
      const properties = { "data-action": action, className: isOnBoard(action) ? "board" : "" };
      return makeButton(() => this.choose(action), properties, key, capital(text));
    });
    this.box.replaceChildren(...this.buttons);
    this.typed = "";
  }

  /** Be where the next Tab or arrow is expected; no ring around a choice for those who click. */
  takeFocus() {
    const first = (this.hasKeyboard && this.buttons[0]) || byId("prompt");
    first.focus({ preventScroll: true });
  }

  /** Mark on the board what may be chosen, for pointer and keyboard, and name everything. */
  mark() {
    const texts = new Map(this.state.options.map(({ action, text }) => [action, text]));
    for (const thing of things()) {
      // A card in a place belongs to that place, which is marked as a whole.
      const isPart = fillsPlace(thing);
      const text = isPart ? undefined : texts.get(actionOf(thing, this.state));
      thing.classList.toggle("legal", text !== undefined);
      if (!isPart) this.name(thing, text);
    }
  }

  name(thing, text) {
    const called = [text && capital(text), nameOf(thing)].filter(Boolean).join(". ");
    // Whoever speaks to a browser names a button by what is written on it: on a cell, bare numbers.
    const isButton = text !== undefined && !thing.textContent;
    const attributes = {
      "aria-label": called || null,
      "aria-roledescription": text !== undefined && !isButton ? "choice" : null,
      role: called ? (isButton ? "button" : "img") : null,
      tabindex: called ? "0" : null,
    };
    for (const [attribute, value] of Object.entries(attributes)) {
      if (value === null) thing.removeAttribute(attribute);
      else thing.setAttribute(attribute, value);
    }
  }

  /** Show on the board what a sentence is about. */
  point(action) {
    if (!this.state) return;
    for (const thing of things()) {
      const isMeant = Boolean(action) && actionOf(thing, this.state) === action;
      thing.classList.toggle("pointed", isMeant && thing.classList.contains("legal"));
    }
  }

  walk(event) {
    const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
    const index = this.buttons.indexOf(document.activeElement);
    let next = index + (steps[event.key] ?? 0);
    if (event.key === "Home") next = 0;
    if (event.key === "End") next = this.buttons.length - 1;
    if (next === index || index < 0) return;
    event.preventDefault();
    this.buttons[(next + this.buttons.length) % this.buttons.length].focus();
  }

  /** Take a digit of a choice's number, and the choice once no longer number begins so. */
  type(digit) {
    clearTimeout(this.typing);
    const count = this.buttons?.length ?? 0;
    this.typed = Number(this.typed + digit) > count ? digit : this.typed + digit;
    const button = this.buttons?.[Number(this.typed) - 1];
    if (!button || 10 * Number(this.typed) > count) this.typed = "";
    else this.typing = setTimeout(() => (this.typed = ""), TYPING_MS);
    if (this.typed) button.focus();
    else button?.click();
  }
}

/** Say who decides what, and how to go about it. */
export function sayWhat(state) {
  const { decides, by, seats, thinking, trouble, over, winners, prompt, options } = state;
  const name = (seat) => `Seat ${seat} (${calledAt(seats[seat])})`;
  const isYours = decides !== null && decides === by;
  byId("whose").className = isYours ? "yours" : "";
  const when = SETUP.includes(state.kind) ? "Setup" : `Turn ${state.turn}`;
  byId("whose").textContent = `${when}${isYours ? ` · you decide, seat ${by}` : ""}`;
  show(byId("trouble"), Boolean(trouble));
  let [what, how] = [prompt, isYours ? wayTo(options) : ""];
  if (trouble) [what, how] = ["An agent cannot go on.", trouble];
  else if (over) [what, how] = [endOf(winners, name), ""];
  else if (!isYours) [what, how] = [`${name(decides)} ${thinking === null ? "decides" : "is thinking"} …`, prompt];
  byId("prompt").textContent = capital(what);
  byId("how").textContent = how;
}

function wayTo(options) {
  const onBoard = options.filter(({ action }) => isOnBoard(action)).length;
  if (!onBoard) return "Choose one:";
  return "Click what is marked in blue on the board, or choose a sentence:";
}

function endOf(winners, name) {
  if (!winners.length) return "The game is over, and nobody has won.";
  return `The game is over: ${winners.map(name).join(" and ")} won.`;
}
