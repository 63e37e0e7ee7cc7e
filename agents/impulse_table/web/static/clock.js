// The clock of a table: the time that the deciding person has left.

import { byId, show } from "/kit/elements.js";
import { isYours } from "./people.js";

const TICK_MS = 500;
/** Seconds below which the time is marked. */
const SHORT = 15;

function words(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** What a clock means, in one or two sentences. */
export function aboutClock({ turn_seconds: seconds, game_minutes: minutes, agent }) {
  const turn = seconds === null ? [] : [`Each person has ${seconds} s for a turn; then ${agent} plays until the turn ends.`];
  const game = minutes === null ? [] : [`Each person has ${minutes} min for the game; then ${agent} plays to the end.`];
  return [...turn, ...game].join(" ");
}

export class Clock {
  constructor() {
    setInterval(() => this.state?.clock && this.tell(), TICK_MS);
  }

  /** Follow the state of the table. */
  update(state) {
    [this.state, this.heard] = [state, Date.now()];
    show(byId("clock-about"), Boolean(state.clock));
    if (state.clock) byId("clock-about").textContent = aboutClock(state.clock);
    this.tell();
  }

  tell() {
    const { clock, over } = this.state;
    const isRunning = Boolean(clock) && clock.running !== null && !over;
    show(byId("clock"), isRunning);
    if (!isRunning) return;
    const gone = (Date.now() - this.heard) / 1000;
    const left = clock.left[clock.running].map((seconds) => (seconds === null ? Infinity : seconds - gone));
    const least = Math.min(...left);
    byId("clock").textContent = `${words(least)} left${left[1] === least ? " in the game" : ""}`;
    byId("clock").classList.toggle("soon-over", least < SHORT && isYours(this.state));
  }
}
