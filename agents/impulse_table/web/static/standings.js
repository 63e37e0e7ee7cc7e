// The players with their points in the line at the top, and the list of seats with their links.

import { byId, copyText, make, makeButton, markOf, show } from "/kit/elements.js";
import { addressOf } from "./games.js";
import { inviteButton, isLocal } from "./invitations.js";
import { numberOf, seatName } from "/kit/numbering.js";
import { awayFor, calledAt, nameField } from "./people.js";

function nameOf(entry, here) {
  return here.includes(entry.seat) && entry.person ? calledAt(entry, "you") : calledAt(entry);
}

export function showStandings({ seats, scores, target, decides, here, winners }) {
  const entries = seats.map((entry) => {
    const { seat, team } = entry;
    const item = make(
      "li",
      {},
      markOf(seat, 14),
      make("span", { className: "spoken", text: `Seat ${numberOf(seat)}:` }),
      make("span", { className: "name", text: nameOf(entry, here) }),
      make("b", { text: scores[seat] }),
    );
    item.title = `Seat ${numberOf(seat)}${team === null ? "" : `, team ${numberOf(team)}`}: ${scores[seat]} of ${target} points${entry.away === null ? "" : `, ${awayFor(entry.away)}`}`;
    item.classList.toggle("away", entry.away !== null);
    item.classList.toggle("deciding", seat === decides);
    item.classList.toggle("won", winners.includes(seat));
    if (seat === decides) item.setAttribute("aria-current", "true");
    return item;
  });
  byId("standings").replaceChildren(...entries);
}

/**
 * List the seats, with links for those of other windows.
 * @param say sends a message to the server: a name, or a request for a new link
 */
export function listSeats({ seats, here, host }, name, elsewhere, say) {
  byId("seat-list").replaceChildren(
    ...seats.map((entry) => {
      const { seat, person, away } = entry;
      const item = make("li", {}, markOf(seat, 14), `Seat ${numberOf(seat)}: `);
      if (!person) item.append(entry.player);
      else if (here.includes(seat)) item.append("at this page", nameField(entry, say));
      else if (elsewhere[seat]) item.append(linkTo(`Link of ${seatName(seat)}`, addressOf(name, [elsewhere[seat]])));
      else item.append(calledAt(entry));
      if (person && !here.includes(seat)) item.append(presence(away));
      if (person && host) item.append(newLinkButton(seat, say));
      return item;
    }),
  );
  byId("watching").replaceChildren("To watch: ", linkTo("Link to watch", addressOf(name, [])));
  show(byId("reach"), isLocal());
}

function presence(away) {
  return make("span", { className: "presence", text: away === null ? "is here" : awayFor(away) });
}

function newLinkButton(seat, say) {
  const ariaLabel = `New link for ${seatName(seat)}; the old one ends`;
  const revoke = () => say({ type: "revoke", seat });
  return makeButton(revoke, { className: "revoke", ariaLabel, text: "New link" });
}

function linkTo(ariaLabel, address) {
  const field = make("input", { value: address, readOnly: true, ariaLabel });
  field.addEventListener("focus", () => field.select());
  const tell = async ({ target }) => {
    await copyText(address, target);
    target.textContent = isLocal() ? "Copied, for this machine alone" : "Copied";
  };
  const copy = makeButton(tell, { text: "Copy link", ariaLabel: `Copy link: ${ariaLabel}` });
  const open = make("a", { href: address, target: "_blank", rel: "noopener", text: "open" });
  const path = address.slice(location.origin.length);
  const once = inviteButton(path, "Link and QR code for another machine", ariaLabel);
  return make("span", { className: "link" }, field, copy, open, ...(once ? [once] : []));
}
