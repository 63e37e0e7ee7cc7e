// A browser that has not been let in: a link that somebody was sent can be pasted.

import { byId } from "/kit/elements.js";
import { enableButtons } from "./server.js";

byId("come-in").addEventListener("submit", (event) => {
  event.preventDefault();
  const given = byId("link").value.trim();
  const link = URL.canParse(given) ? new URL(given) : null;
  const isOwn = link?.origin === location.origin && link.pathname === "/invite" && link.hash;
  if (isOwn) location.assign(link.href);
  else byId("refused").textContent = `A link to come in begins with ${location.origin}/invite#`;
});
enableButtons();
