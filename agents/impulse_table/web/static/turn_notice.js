// A notice when it becomes the turn of the person at this page; off until the person asks for it.

import { byId, fill } from "/kit/elements.js";
import { isYours } from "./people.js";

const KEY = "impulse.notice";
const FLASH_MS = 1000;
const CHOICES = [
  ["", "nothing happens"],
  ["flash", "the title flashes, and a phone vibrates"],
  ["notify", "the title flashes, and the browser notifies me"],
];

export class TurnNotice {
  constructor() {
    const stored = localStorage.getItem(KEY) ?? "";
    fill(byId("turn-notice"), CHOICES, CHOICES.some(([value]) => value === stored) ? stored : "");
    byId("turn-notice").addEventListener("change", () => this.choose(byId("turn-notice").value));
    for (const kind of ["focus", "visibilitychange"]) addEventListener(kind, () => document.hidden || this.calm());
  }

  async choose(value) {
    byId("turn-notice-about").textContent = "";
    if (value === "notify" && !(await isAllowed())) {
      value = "flash";
      byId("turn-notice").value = value;
      byId("turn-notice-about").textContent = "This browser allows no notifications from this page.";
    }
    localStorage.setItem(KEY, value);
  }

  /** Follow the state of the table. */
  update(state) {
    const isNow = isYours(state);
    const isNew = isNow && this.wasYours === false;
    this.wasYours = isNow;
    if (!isNow) this.calm();
    else if (isNew && !document.hasFocus()) this.tell(byId("turn-notice").value);
  }

  tell(how) {
    if (!how) return;
    this.calm();
    this.flashing = setInterval(() => {
      document.title = document.title === "Your turn!" ? "▶ Impulse" : "Your turn!";
    }, FLASH_MS);
    navigator.vibrate?.(200);
    if (how === "notify" && window.Notification?.permission === "granted") {
      this.shown = new Notification("Impulse", { body: "It is your turn.", tag: location.pathname });
    }
  }

  calm() {
    clearInterval(this.flashing);
    if (document.title === "Your turn!") document.title = "▶ Impulse";
    this.shown?.close();
    this.shown = null;
  }
}

async function isAllowed() {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}
