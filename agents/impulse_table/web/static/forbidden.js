// The page of a browser that has not been let in: a person can paste an invitation link.

import { byId } from "/kit/elements.js";
import { enableButtons } from "./server.js";

byId("come-in").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("link").value.trim();
  const link = URL.canParse(text) ? new URL(text) : null;
  const isOwn = link?.origin === location.origin && link.pathname === "/invite" && link.hash;
  if (isOwn) location.assign(link.href);
  else byId("refused").textContent = `An invitation begins with ${location.origin}/invite#`;
});
enableButtons();
