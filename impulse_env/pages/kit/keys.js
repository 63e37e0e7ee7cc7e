// What a press is meant for: what was on the screen when the finger or the key came down.

const DOUBLE_MS = 500; // what systems take for a double click
const REACH = 40; // pixels; a finger that taps twice does not meet the same point

/** Whether two presses are in one place: two points, or the same key. */
function isThere(one, other) {
  if (typeof one === "string" || typeof other === "string") return one === other;
  return Math.hypot(one.x - other.x, one.y - other.y) < REACH;
}

/**
 * Stops clicks and keys that were meant for what has gone from the screen.
 *
 * These are presses from before the screen changed, the second press of a double click whose first
 * one changed it, and a key that is held down.
 */
export class Presses {
  /**
   * @param places selector of what such a press must not reach
   * @param keys of the page that must not act so, wherever the focus is
   */
  constructor(places, keys = /^$/) {
    Object.assign(this, { places, keys, since: 0, last: null, finger: null, key: null });
    addEventListener("pointerdown", (event) => this.touch(event), true);
    addEventListener("keydown", (event) => this.type(event), true);
    // The click that a key makes may follow when it goes up.
    addEventListener("keyup", () => setTimeout(() => (this.key = null)), true);
    addEventListener("click", (event) => this.judge(event), true);
  }

  /** Say that something else is on the screen from now on. */
  changed() {
    this.since = performance.now();
  }

  touch({ isPrimary, timeStamp, clientX, clientY }) {
    if (isPrimary) this.finger = this.press(timeStamp, { x: clientX, y: clientY });
  }

  type(event) {
    const { key, repeat, target, timeStamp } = event;
    const isButton = (key === "Enter" || key === " ") && target.closest(this.places);
    const isOwn = this.keys.test(key) && !target.closest("input, select, textarea");
    if (!repeat) this.key = this.press(timeStamp, key);
    if ((isButton || isOwn) && (repeat || this.isLate(this.key))) stop(event);
  }

  /** Say that the last press came while there was nothing to choose, as of somebody impatient. */
  inVain() {
    if (this.last) this.last.isSecond = true;
  }

  press(at, where) {
    const before = this.last;
    this.last = { at, where, isSecond: false };
    if (before === null || !isThere(before.where, where)) return this.last;
    const wasChange = before.at < this.since && at - before.at < DOUBLE_MS;
    const goesOn = before.isSecond && Math.min(at - before.at, at - this.since) < DOUBLE_MS;
    this.last.isSecond = wasChange || goesOn;
    return this.last;
  }

  /** Whether a press was meant for something that is no more on the screen. */
  isLate(press) {
    return press.isSecond || press.at < this.since;
  }

  judge(event) {
    // A click without either comes from a program, such as one that reads the page aloud.
    const press = event.detail ? this.finger : this.key;
    if (event.detail) this.finger = null;
    if (press && this.isLate(press) && event.target.closest(this.places)) stop(event);
  }
}

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Let keys do something, by their names, unless they are pressed with another one.
 * @param isTaken whether an event's key is for the element that has the focus
 */
export function onKeys(keys, isTaken) {
  document.addEventListener("keydown", (event) => {
    const isElsewhere = event.ctrlKey || event.altKey || event.metaKey;
    if (isElsewhere || !(event.key in keys) || isTaken(event)) return;
    event.preventDefault();
    keys[event.key]();
  });
}
