// The decision: the question, and a sentence for each choice.

import { loaded } from "./cards.js";
import { byId, capital, make, makeButton, show } from "/kit/elements.js";
import { nameOf } from "./names.js";
import { seatName, seatWith } from "/kit/numbering.js";
import { calledAt, isYours } from "./people.js";
import { actionOf, fillsPlace, isOnBoard, things } from "./targets.js";

const SETUP = ["draft_race", "place_home"];
const TYPING_MS = 2000;


/** The order of choices: first those that are not on the board, using before declining. */
function rank(action) {
  if (isOnBoard(action)) return 3;
  return { use: 0, pass: 2 }[action] ?? 1;
}

export class Choices {
  /** @param choose called with the chosen action */
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
    // News that arrives while a person decides must not move the focus.
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

  /** Take the focus for the next Tab or arrow key; who clicks sees no ring around a choice. */
  takeFocus() {
    const first = (this.hasKeyboard && this.buttons[0]) || byId("prompt");
    first.focus({ preventScroll: true });
  }

  /** Mark the choices on the board, for pointer and keyboard, and name everything. */
  mark() {
    const texts = new Map(this.state.options.map(({ action, text }) => [action, text]));
    for (const thing of things()) {
      // A card that fills a place belongs to the place, which is marked as a whole.
      const isPart = fillsPlace(thing);
      const text = isPart ? undefined : texts.get(actionOf(thing, this.state));
      thing.classList.toggle("legal", text !== undefined);
      if (!isPart) this.name(thing, text);
    }
  }

  name(thing, text) {
    const called = [text && capital(text), nameOf(thing)].filter(Boolean).join(". ");
    // With voice control, people name a button by its text, which on a cell is bare numbers.
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

  /** Highlight on the board what a sentence is about. */
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

  /** Take a digit of a choice's number; take the choice once no longer number starts with it. */
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

/** Show who decides what, and how. */
export function sayWhat(state) {
  const { decides, by, seats, thinking, trouble, over, prompt, options } = state;
  const name = (seat) => seatWith(seat, calledAt(seats[seat]));
  const isOwn = isYours(state);
  byId("whose").className = isOwn ? "yours" : "";
  const when = SETUP.includes(state.kind) ? "Setup" : `Turn ${state.turn}`;
  byId("whose").textContent = `${when}${isOwn ? ` · you decide, ${seatName(by)}` : ""}`;
  show(byId("trouble"), Boolean(trouble));
  let [what, how] = [prompt, isOwn ? instructionFor(options) : ""];
  if (trouble) [what, how] = ["An agent cannot decide.", trouble];
  else if (over) [what, how] = [endOf(state, name), ""];
  else if (!isOwn) [what, how] = [`${name(decides)} ${thinking === null ? "decides" : "is thinking"} …`, prompt];
  byId("prompt").textContent = capital(what);
  byId("how").textContent = how;
}

function instructionFor(options) {
  const onBoard = options.filter(({ action }) => isOnBoard(action)).length;
  if (!onBoard) return "Choose one:";
  return "Click what is marked in blue on the board, or choose a sentence:";
}

function endOf({ winners, seats, agreed }, name) {
  const resigned = seats.filter((entry) => entry.resigned).map(({ seat }) => seat);
  if (agreed) return "The game is over: everybody agreed to end it.";
  if (!winners.length) return `The game is over, and nobody has won.${resigned.length ? " Everybody has left it." : ""}`;
  const why = seats.length === 2 && resigned.length ? `, because ${seatName(resigned[0])} resigned` : "";
  return `The game is over: ${winners.map(name).join(" and ")} won${why}.`;
}
