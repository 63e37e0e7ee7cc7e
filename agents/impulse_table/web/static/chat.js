// Chat among the persons at a table, between the entries of the log.

import { byId, make, show } from "/kit/elements.js";
import { addLine } from "./log.js";
import { numberOf } from "/kit/numbering.js";
import { isNarrow } from "./views.js";
import { store, stored } from "./storage.js";

const LONGEST = 200;

export class Chat {
  /**
   * @param name of the table
   * @param say sends a message to the server
   */
  constructor(name, say) {
    this.key = `impulse.muted.${name}`;
    this.lines = [];
    byId("chat-line").maxLength = LONGEST;
    byId("chat").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = byId("chat-line").value.split(/\s+/).filter(Boolean).join(" ");
      if (text && say({ type: "chat", text })) byId("chat-line").value = "";
    });
    byId("chat-mute").addEventListener("click", () => this.mute(!this.isMuted));
    this.mute(stored(this.key) !== null);
    byId("views").addEventListener("click", () => this.read());
  }

  mute(isMuted) {
    this.isMuted = isMuted;
    store(this.key, isMuted ? "yes" : null);
    byId("log").classList.toggle("muted", isMuted);
    byId("chat-mute").textContent = isMuted ? "Unmute" : "Mute";
    byId("chat-mute").setAttribute("aria-label", isMuted ? "Unmute the chat" : "Mute the chat");
    this.read();
  }

  /** Follow the state of the table, after the log: a new log has none of the lines. */
  update({ whole, chat, here }) {
    show(byId("chat"), chat && here.length > 0);
    if (whole) for (const line of this.lines) this.add(line);
  }

  hear({ lines, whole }, here) {
    if (whole) {
      for (const element of byId("log").querySelectorAll(".chat")) element.remove();
      this.lines = [];
    }
    for (const line of lines) {
      this.lines.push(line);
      this.add(line);
    }
    const last = lines.at(-1);
    if (whole || this.isMuted || here.includes(last.seat)) return;
    byId("spoken").textContent = `${who(last)}: ${last.text}`;
    if (isNarrow() && byId("table").dataset.view !== "log") byId("log-view").classList.add("unread");
  }

  add(line) {
    addLine(make("li", { className: "chat" }, make("b", { text: `${who(line)}: ` }), line.text));
  }

  /** The lines are in sight now, or muted. */
  read() {
    if (this.isMuted || byId("table").dataset.view === "log") byId("log-view").classList.remove("unread");
  }
}

const who = ({ seat, name }) => name ?? `Seat ${numberOf(seat)}`;
