// The rules of the card under the pointer or the focus.

import { byId, show } from "./elements.js";

const GAP = 8;
const DELAY = 250;
const cards = fetch("/api/cards").then((response) => response.json());

async function explain(element) {
  const card = (await cards)[element.dataset.face];
  if (!card || !element.isConnected) return;
  const [title, text, meaning] = byId("rules").children;
  title.textContent = card.title[0].toUpperCase() + card.title.slice(1);
  text.textContent = card.text;
  meaning.textContent = card.meaning;
  show(byId("rules"), true);
  place(element.getBoundingClientRect());
}

/** Beside the card, wherever there is room. */
function place(card) {
  const rules = byId("rules");
  const { width, height } = rules.getBoundingClientRect();
  const left = Math.min(Math.max(GAP, card.left), innerWidth - width - GAP);
  const isBelow = card.bottom + GAP + height < innerHeight;
  const top = isBelow ? card.bottom + GAP : Math.max(GAP, card.top - height - GAP);
  Object.assign(rules.style, { left: `${left}px`, top: `${top}px` });
}

const faceOf = (event) => event.target.closest?.("[data-face]");
let timer;

function hide() {
  clearTimeout(timer);
  show(byId("rules"), false);
}

function leave(event) {
  if (faceOf(event)) hide();
}

export function explainCards() {
  let clicked = null;
  addEventListener("pointerdown", ({ clientX, clientY }) => {
    clicked = `${clientX} ${clientY}`;
    hide();
  });
  addEventListener("pointerover", (event) => {
    // After a click the page may move a card under the pointer: nobody asked about that one.
    if (!faceOf(event) || clicked === `${event.clientX} ${event.clientY}`) return;
    clearTimeout(timer);
    timer = setTimeout(() => explain(faceOf(event)), DELAY);
  });
  addEventListener("focusin", (event) => {
    if (faceOf(event)?.matches(":focus-visible")) explain(faceOf(event));
  });
  for (const kind of ["pointerout", "focusout"]) addEventListener(kind, leave);
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("scroll", hide, { passive: true, capture: true });
}
