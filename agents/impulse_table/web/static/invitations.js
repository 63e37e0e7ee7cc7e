// One-time links, each for one more browser; a server for this machine alone has none.

import { byId, make, show } from "/kit/elements.js";

/** Whether other machines reach this server; null until the setup says so. */
let isShared = null;

/** Note from the setup whether this server has such links, and return that. */
export function allowInvitations(setup) {
  isShared = setup.invites;
  return isShared;
}

/** Whether only this machine can open this server's links. */
export const isLocal = () => isShared === false;

async function invitationTo(to) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("/api/invitations", { method: "POST", headers, body: JSON.stringify({ to }) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

function pictured({ link, picture }) {
  const field = make("input", { value: link, readOnly: true, ariaLabel: "Link that works once" });
  field.addEventListener("focus", () => field.select());
  const code = make("img", { src: picture, alt: "The link as a QR code", className: "qr" });
  return make("span", { className: "invitation" }, field, code, "It works once, in one browser.");
}

/**
 * A button that makes a link to a page of this server; null on a server without such links.
 * @param to the page
 * @param text of the button
 * @param what it leads to, in words that tell it from others
 */
export function inviteButton(to, text, what = "") {
  if (!isShared) return null;
  const button = make("button", { type: "button", text, ariaLabel: [text, what].filter(Boolean).join(": ") });
  button.addEventListener("click", async () => {
    button.disabled = true;
    const made = await invitationTo(to).then(pictured, (error) => make("span", { text: error.message }));
    button.parentElement.querySelector(".invitation")?.remove();
    made.classList.add("invitation");
    button.after(made);
    button.disabled = false;
  });
  return button;
}

/** Offer the start page's links. */
export function offerInvitations(setup) {
  if (!allowInvitations(setup)) return;
  byId("invite-place").replaceChildren(inviteButton("/", "Make a link"));
  show(byId("invite"), true);
}
