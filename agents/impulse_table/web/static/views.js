// The views of a narrow page: one at a time above the hand, such as the map or the players.

import { byId } from "/kit/elements.js";

/** Whether the page shows one view at a time, as its style sheet says. */
export const isNarrow = () => getComputedStyle(byId("table")).getPropertyValue("--narrow") !== "";

const buttons = () => byId("views").querySelectorAll("button");

export function showView(view) {
  byId("table").dataset.view = view;
  for (const button of buttons()) button.setAttribute("aria-pressed", String(button.dataset.view === view));
}

export function offerViews() {
  for (const button of buttons()) button.addEventListener("click", () => showView(button.dataset.view));
  const [tools, menu] = [byId("tools"), byId("menu-button")];
  menu.addEventListener("click", () => {
    const isOpen = tools.classList.toggle("open");
    menu.setAttribute("aria-expanded", String(isOpen));
  });
}
