// A notice, a tone and vibration when it becomes the turn of the person at this page; off until the
// person asks for them.

import { byId, fill, show } from "/kit/elements.js";
import { isYours } from "./people.js";
import { store, stored } from "./storage.js";

const KEY = "impulse.notice";
const SIGNALS = { tone: "impulse.tone", shake: "impulse.shake" };
const FLASH_MS = 1000;
const SHAKE_MS = 200;
/** In front, a turn that comes sooner needs no tone. */
const WAIT_MS = 2000;
const TONE = { hertz: 660, seconds: 0.25, volume: 0.2 };
const CHOICES = [
  ["", "nothing happens"],
  ["flash", "the title flashes"],
  ["notify", "the title flashes, and the browser notifies me"],
];

export class TurnNotice {
  constructor() {
    const last = stored(KEY) ?? "";
    fill(byId("turn-notice"), CHOICES, CHOICES.some(([value]) => value === last) ? last : "");
    byId("turn-notice").addEventListener("change", () => this.choose(byId("turn-notice").value));
    for (const [signal, key] of Object.entries(SIGNALS)) {
      const box = byId(`turn-${signal}`);
      box.checked = stored(key) === "yes";
      box.addEventListener("change", () => {
        store(key, box.checked ? "yes" : "");
        this.signal(signal);
      });
    }
    show(byId("turn-shake-choice"), "vibrate" in navigator);
    // Browsers play no tone before the first press.
    addEventListener("pointerdown", () => byId("turn-tone").checked && this.wake(), { once: true });
    for (const kind of ["focus", "visibilitychange"]) addEventListener(kind, () => document.hidden || this.calm());
  }

  async choose(value) {
    byId("turn-notice-about").textContent = "";
    if (value === "notify" && !(await isAllowed())) {
      value = "flash";
      byId("turn-notice").value = value;
      byId("turn-notice-about").textContent = "This browser allows no notifications from this page.";
    }
    store(KEY, value);
  }

  /** Follow the state of the table. */
  update(state) {
    const isNow = isYours(state);
    const isNew = isNow && this.wasYours === false;
    if (!isNow && this.wasYours !== false) this.since = performance.now();
    this.wasYours = isNow;
    if (!isNow) this.calm();
    else if (isNew) {
      const isInFront = document.hasFocus();
      if (!isInFront) this.tell(byId("turn-notice").value);
      if (isInFront && performance.now() - this.since < WAIT_MS) return;
      for (const signal of Object.keys(SIGNALS)) this.signal(signal);
    }
  }

  /** Give a signal, if the person has asked for it. */
  signal(signal) {
    if (!byId(`turn-${signal}`).checked) return;
    if (signal === "tone") this.sound();
    else navigator.vibrate?.(SHAKE_MS);
  }

  /** The browser's sound, which may start with a press only. */
  wake() {
    this.audio ??= new AudioContext();
    this.audio.resume();
    return this.audio;
  }

  sound() {
    const audio = this.wake();
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const end = audio.currentTime + TONE.seconds;
    tone.frequency.value = TONE.hertz;
    volume.gain.setValueAtTime(TONE.volume, audio.currentTime);
    volume.gain.linearRampToValueAtTime(0, end);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(end);
  }

  tell(how) {
    if (!how) return;
    this.calm();
    this.flashing = setInterval(() => {
      document.title = document.title === "Your turn!" ? "▶ Impulse" : "Your turn!";
    }, FLASH_MS);
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
