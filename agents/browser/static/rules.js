// The rules of the card under the pointer or the focus.

import { byId, show } from "./elements.js";

const GAP = 8;
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

function leave(event) {
  if (faceOf(event)) show(byId("rules"), false);
}

export function explainCards() {
  for (const kind of ["pointerover", "focusin"]) {
    addEventListener(kind, (event) => faceOf(event) && explain(faceOf(event)));
  }
  for (const kind of ["pointerout", "focusout"]) addEventListener(kind, leave);
  addEventListener("keydown", (event) => event.key === "Escape" && show(byId("rules"), false));
  addEventListener("scroll", () => show(byId("rules"), false), { passive: true });
}
