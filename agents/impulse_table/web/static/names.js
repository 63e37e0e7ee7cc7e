// Spoken names of the things on the board, for screen readers.

import { spokenName } from "./cards.js";
import { seatName } from "/kit/numbering.js";

const ships = (count, one) => `${count} ${one}${count === "1" ? "" : "s"}`;

/** The fleets in a place, from each mark and the number of ships beside it. */
function fleetsIn(place, one) {
  return [...place.querySelectorAll("use[href^='#mark-'] + text")].map((count) => {
    const seat = Number(count.previousElementSibling.getAttribute("href").slice("#mark-".length));
    return `${seatName(seat)} has ${ships(count.textContent, one)}`;
  });
}

function homesIn(cell) {
  return [...cell.querySelectorAll(".home")].map((home) => `home of ${seatName(Number(home.classList[1].slice("rim".length)))}`);
}

function cardIn(place) {
  const face = place.querySelector("[data-face]")?.dataset.face;
  if (face) return spokenName(face);
  const basic = place.querySelector("use[href^='#tech-']");
  if (basic) return document.querySelector(basic.getAttribute("href")).textContent;
  if (place.querySelector(".core")) return "the Sector Core";
  return place.querySelector(".down") ? "a card face-down" : "no card";
}

const sentence = (name, words) => `${name}: ${words.filter(Boolean).join("; ")}`;

/** The name of a thing; null for one without content, such as an empty gate. */
export function nameOf(thing) {
  if (thing.dataset.face) return spokenName(thing.dataset.face);
  const [kind, which] = thing.dataset.action.split(" ");
  if (kind === "cell") return sentence(`Cell ${which}`, [...homesIn(thing), ...fleetsIn(thing, "Transport"), cardIn(thing)]);
  if (kind === "tech") return sentence(`Tech ${which}`, [cardIn(thing)]);
  const cruisers = kind === "gate" ? fleetsIn(thing, "Cruiser") : [];
  return cruisers.length ? sentence(`Gate ${which}`, cruisers) : null;
}
