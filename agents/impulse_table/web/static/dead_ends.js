// Messages on a lost connection or a closed page, with buttons and links that help.

import { byId, show } from "/kit/elements.js";

const UPDATED = "The server was updated, and this page is from the earlier version. The game is saved.";

function tell(message, isEnd, { again = "", watch = false } = {}) {
  show(byId("connection"), true);
  byId("connection").classList.toggle("dead-end", isEnd);
  byId("connection-text").textContent = message;
  byId("connection-again").textContent = again;
  show(byId("connection-again"), Boolean(again));
  show(byId("connection-own"), false);
  show(byId("connection-watch"), watch);
  show(byId("connection-start"), isEnd);
}

export class DeadEnds {
  /** @param again reconnects at once */
  constructor(again) {
    this.again = again;
    byId("connection-again").addEventListener("click", () => this.again());
    byId("connection-watch").addEventListener("click", () => {
      history.replaceState(null, "", location.pathname);
      location.reload();
    });
  }

  /** Show that the connection is lost, and the seconds until the next try; null: it is back. */
  lost(seconds) {
    if (seconds === null) return show(byId("connection"), false);
    const message = `The connection is lost; trying again in ${seconds} s. The game is saved.`;
    tell(message, false, { again: "Try now" });
  }

  /** Show that the server has closed this page for good, and hide the table. */
  end({ message, watch }) {
    this.close(message, { again: watch ? "" : "Try again", watch });
  }

  /** Show that the server has another version than this page. */
  outdated() {
    this.close(UPDATED, { again: "Reload the page" });
  }

  close(message, buttons) {
    this.again = () => location.reload();
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    show(byId("table"), false);
    show(byId("views"), false);
    tell(message, true, buttons);
  }
}
