// A tooltip with the rules of the card under the pointer or the focus.

import { loaded, rulesOf } from "./cards.js";
import { byId, capital, show } from "/kit/elements.js";

const GAP = 8;
const DELAY = 250;
const HOLD = 500;

async function explain(element) {
  await loaded;
  const card = rulesOf(element.dataset.face);
  if (!card || !element.isConnected) return;
  const [title, text, meaning] = byId("rules").children;
  title.textContent = capital(card.title);
  text.textContent = card.text;
  meaning.textContent = card.meaning;
  show(byId("rules"), true);
  place(element.getBoundingClientRect());
}

/** Put the tooltip beside the card, where there is room. */
function place(card) {
  const rules = byId("rules");
  const { width, height } = rules.getBoundingClientRect();
  const left = Math.min(Math.max(GAP, card.left), innerWidth - width - GAP);
  const isBelow = card.bottom + GAP + height < innerHeight;
  const top = isBelow ? card.bottom + GAP : Math.max(GAP, card.top - height - GAP);
  Object.assign(rules.style, { left: `${left}px`, top: `${top}px` });
}

/** The card at the target of an event, or in the place at the target. */
function faceOf({ target }) {
  const place = target.matches?.("g[data-action]") ? target : null;
  return target.closest?.("[data-face]") ?? place?.querySelector("[data-face]");
}

let timer;

function hide() {
  clearTimeout(timer);
  show(byId("rules"), false);
}

function leave(event) {
  // After a lifted finger the tooltip stays until the next touch.
  if (faceOf(event) && event.pointerType !== "touch") hide();
}

/** Show the rules of a card while a finger holds it; lifting the finger then chooses nothing. */
function explainHeldCards() {
  let isHeld = false;
  addEventListener("pointerdown", (event) => {
    isHeld = false;
    const face = event.pointerType === "mouse" ? null : faceOf(event);
    if (!face) return;
    timer = setTimeout(() => {
      isHeld = true;
      explain(face);
    }, HOLD);
  });
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => clearTimeout(timer));
  addEventListener("click", (event) => isHeld && event.detail && event.stopPropagation(), true);
  addEventListener("contextmenu", (event) => isHeld && event.preventDefault());
}

export function explainCards() {
  let clicked = null;
  addEventListener("pointerdown", ({ clientX, clientY }) => {
    clicked = `${clientX} ${clientY}`;
    hide();
  });
  explainHeldCards();
  addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    // After a click the page may move another card under the pointer: ignore that one.
    if (!faceOf(event) || clicked === `${event.clientX} ${event.clientY}`) return;
    clearTimeout(timer);
    timer = setTimeout(() => explain(faceOf(event)), DELAY);
  });
  addEventListener("focusin", (event) => {
    if (event.target.matches?.(":focus-visible") && faceOf(event)) explain(faceOf(event));
  });
  for (const kind of ["pointerout", "focusout"]) addEventListener(kind, leave);
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("scroll", hide, { passive: true, capture: true });
}
