// The page of a one-time link: exchanges its token for a cookie of this browser.

import { byId } from "/kit/elements.js";
import { SILENT } from "./server.js";

async function comeIn(token) {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ token });
  const response = await fetch("/api/invitations/use", { method: "POST", headers, body });
  const answer = await response.json();
  if (response.ok) location.replace(answer.to);
  else byId("invited").textContent = answer.message;
}

comeIn(location.hash.slice(1)).catch(() => {
  byId("invited").textContent = SILENT;
});
