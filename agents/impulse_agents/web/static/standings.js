// Who plays, with how many points: the line at the top, and the list of seats with their links.

import { byId, make } from "./elements.js";
import { addressOf } from "./games.js";

const SVG = "http://www.w3.org/2000/svg";

function markOf(seat) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-14 -14 28 28");
  svg.setAttribute("class", "impulse mark");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#mark-${seat}`);
  svg.append(use);
  return svg;
}

function nameOf({ seat, player, person }, here) {
  return here.includes(seat) && person ? "you" : player;
}

export function showStandings({ seats, scores, target, decides, here, winners }) {
  const entries = seats.map((entry) => {
    const { seat, team } = entry;
    const item = make(
      "li",
      {},
      markOf(seat),
      make("span", { className: "spoken", textContent: `Seat ${seat}:` }),
      make("span", { className: "name", textContent: nameOf(entry, here) }),
      make("b", { textContent: scores[seat] }),
    );
    item.title = `Seat ${seat}${team === null ? "" : `, team ${team}`}: ${scores[seat]} of ${target} points`;
    item.classList.toggle("deciding", seat === decides);
    item.classList.toggle("won", winners.includes(seat));
    if (seat === decides) item.setAttribute("aria-current", "true");
    return item;
  });
  byId("standings").replaceChildren(...entries);
}

/**
 * List the seats, with the links of those that are to be opened in other windows.
 * @param revoke called with a person's seat that is to have a new link
 */
export function listSeats({ seats, here, host }, name, elsewhere, revoke) {
  byId("seat-list").replaceChildren(
    ...seats.map((entry) => {
      const { seat, person, player } = entry;
      const item = make("li", {}, markOf(seat), `Seat ${seat}: `);
      if (!person) item.append(player);
      else if (here.includes(seat)) item.append("at this page");
      else if (elsewhere[seat]) item.append(linkTo(seat, addressOf(name, [elsewhere[seat]])));
      else item.append("a person at another page");
      if (person && host) item.append(newLinkButton(seat, revoke));
      return item;
    }),
  );
}

function newLinkButton(seat, revoke) {
  const button = make("button", { type: "button", className: "revoke", textContent: "New link" });
  button.setAttribute("aria-label", `New link for seat ${seat}; the old one ends`);
  button.addEventListener("click", () => revoke(seat));
  return button;
}

function linkTo(seat, address) {
  const field = make("input", { value: address, readOnly: true, ariaLabel: `Link of seat ${seat}` });
  field.addEventListener("focus", () => field.select());
  const copy = make("button", { type: "button", textContent: "Copy link" });
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(address);
    copy.textContent = "Copied";
  });
  const open = make("a", { href: address, target: "_blank", rel: "noopener", textContent: "open" });
  return make("span", { className: "link" }, field, copy, open);
}
