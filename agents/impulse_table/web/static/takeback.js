// Taking back a choice, and answering other people's requests to do so.

import { byId, show } from "/kit/elements.js";
import { seatName, seatWith } from "/kit/numbering.js";
import { calledAt } from "./people.js";

export class Takeback {
  /** @param say sends a message to the server */
  constructor(say) {
    this.ask = () => byId("take-back").hidden || say({ type: "back" });
    byId("take-back").addEventListener("click", this.ask);
    byId("agree").addEventListener("click", () => say({ type: "answer", agrees: true }));
    byId("disagree").addEventListener("click", () => say({ type: "answer", agrees: false }));
  }

  /** Follow the state of the table. */
  update({ back, asked, here, seats, over }) {
    const isAsked = Boolean(asked) && asked.waiting.some((seat) => here.includes(seat));
    const isOwn = Boolean(asked) && here.includes(asked.seat);
    show(byId("take-back"), back && !over && !isOwn);
    show(byId("asked"), Boolean(asked));
    show(byId("agree"), isAsked);
    show(byId("disagree"), isAsked);
    byId("asked").textContent = asked ? words(asked, isAsked, isOwn, seats) : "";
  }
}

function words({ seat, waiting }, isAsked, isOwn, seats) {
  const who = seatWith(seat, calledAt(seats[seat]));
  if (isAsked) return `${who} asks to take back its last choice. Nothing hidden has been shown since.`;
  const awaited = waiting.map(seatName).join(", ");
  return `${isOwn ? "You ask" : `${who} asks`} to take back a choice; ${awaited} must agree.`;
}
