// Where the page cannot go on: one sentence why, and ways on.

import { byId, show } from "/kit/elements.js";

const UPDATED = "The server was updated, and this page is of the version before. The game is kept.";

function tell(message, isEnd, { again = "", watch = false } = {}) {
  show(byId("connection"), true);
  byId("connection").classList.toggle("dead-end", isEnd);
  byId("connection-text").textContent = message;
  byId("connection-again").textContent = again;
  show(byId("connection-again"), Boolean(again));
  show(byId("connection-watch"), watch);
  show(byId("connection-start"), isEnd);
}

export class DeadEnds {
  /** @param again tries to reach the server at once */
  constructor(again) {
    this.again = again;
    byId("connection-again").addEventListener("click", () => this.again());
    byId("connection-watch").addEventListener("click", () => {
      history.replaceState(null, "", location.pathname);
      location.reload();
    });
  }

  /** The connection is lost; the next try is in so many seconds. With null it is back. */
  lost(seconds) {
    if (seconds === null) return show(byId("connection"), false);
    const message = `The connection is lost; trying again in ${seconds} s. The game is kept.`;
    tell(message, false, { again: "Try now" });
  }

  /** The server has closed this page for good; what it showed is no longer its to see. */
  end({ message, watch }) {
    this.close(message, { again: watch ? "" : "Try again", watch });
  }

  /** The server is of another version than this page. */
  outdated() {
    this.close(UPDATED, { again: "Load the page anew" });
  }

  close(message, ways) {
    this.again = () => location.reload();
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    show(byId("table"), false);
    show(byId("views"), false);
    tell(message, true, ways);
  }
}
