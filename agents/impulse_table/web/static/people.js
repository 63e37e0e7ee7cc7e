// The persons at a table: who is away, and who plays for them meanwhile, as the host chooses.

import { byId, fill, make, makeButton, renew, show } from "/kit/elements.js";
import { seatName, seatWith } from "/kit/numbering.js";
import { store, stored } from "./storage.js";

const TICK_MS = 10_000;

/** What happens when somebody is away, by the minutes until then: the choices of a list. */
export const WHEN_AWAY = [
  ["", "everybody waits"],
  ...[1, 2, 5, 15].map((minutes) => [minutes, `an agent plays after ${counted(minutes)}`]),
];

const nameOf = ({ player, name }) => name ?? player;

/** The displayed name of a seat's player, and of the agent that plays for a person. */
export const calledAt = (entry, name = nameOf(entry)) => (entry.stand_in ? `${entry.stand_in} for ${name}` : name);

/** Whether the person at this page must decide. */
export const isYours = ({ decides, by, seats }) => decides !== null && decides === by && !seats[by].stand_in;

export function awayFor(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return "away";
  if (minutes < 60) return `away for ${counted(minutes)}`;
  return "away for more than an hour";
}

function counted(minutes) {
  return `${minutes} minute${minutes === 1 ? "" : "s"}`;
}

export class People {
  constructor(say) {
    this.say = say;
    fill(byId("away-minutes"), WHEN_AWAY);
    byId("away-minutes").addEventListener("change", (event) =>
      say({ type: "absent", minutes: event.target.value ? Number(event.target.value) : null }),
    );
    setInterval(() => this.state && this.tell(), TICK_MS);
  }

  update(state) {
    [this.state, this.heard] = [state, Date.now()];
    byId("away-minutes").value = String(state.away_minutes ?? "");
    const persons = state.seats.filter(({ person }) => person).length;
    show(byId("absence"), state.host && persons > 1 && !state.over);
    this.tell();
  }

  /** The seconds that a person has been away by now; null if the person is here. */
  away({ away }) {
    return away === null ? null : away + Math.floor((Date.now() - this.heard) / 1000);
  }

  tell() {
    const { seats, over } = this.state;
    const absent = over ? [] : seats.filter(({ away, delegated }) => away !== null && !delegated);
    const before = document.activeElement?.dataset.relieve;
    renew(byId("people"), absent.map((entry) => this.line(entry)));
    if (before) byId("people").querySelector(`[data-relieve="${before}"]`)?.focus();
    show(byId("people"), absent.length > 0);
  }

  line(entry) {
    const { seat, stand_in: standIn } = entry;
    const seconds = this.away(entry);
    const is = seconds < 60 ? "is" : "has been";
    const text = `${seatWith(seat, nameOf(entry))} ${is} ${awayFor(seconds)}: ${this.whatFollows(standIn)}`;
    const item = make("li", {}, make("span", { text: text }));
    if (this.state.host && standIn === null && this.someoneElseSits(seat)) item.append(this.button(seat));
    return item;
  }

  whatFollows(standIn) {
    if (standIn !== null) return `${standIn} plays until they are back.`;
    const minutes = this.state.away_minutes;
    return minutes === null ? "everybody waits." : `after ${minutes} min an agent plays until they are back.`;
  }

  someoneElseSits(seat) {
    return this.state.seats.some((other) => other.person && other.away === null && other.seat !== seat);
  }

  button(seat) {
    const ariaLabel = `Let an agent play for ${seatName(seat)}`;
    const relieve = () => this.say({ type: "relieve", seat });
    return makeButton(relieve, { "data-relieve": seat, ariaLabel, text: "Let an agent play" });
  }
}

const NAME_KEY = "impulse.name";

/** Asks a person for a name, once at each table with another person. */
export class NameQuestion {
  /**
   * @param table the name of the table
   * @param say sends a message to the server
   */
  constructor(table, say) {
    this.key = `impulse.unnamed.${table}`;
    byId("own-name").value = stored(NAME_KEY) ?? "";
    byId("name-question").addEventListener("submit", (event) => {
      event.preventDefault();
      const name = byId("own-name").value.split(/\s+/).filter(Boolean).join(" ");
      if (!name) return this.stop();
      store(NAME_KEY, name);
      say({ type: "name", seat: this.seat, name });
    });
    byId("no-name").addEventListener("click", () => this.stop());
  }

  stop() {
    store(this.key, "yes");
    show(byId("name-question"), false);
  }

  /** Follow the state of the table. */
  update({ here, seats, over }) {
    [this.seat] = here;
    const isMeeting = seats.filter(({ person }) => person).length > 1;
    const isNew = here.length === 1 && seats[this.seat].name === null && stored(this.key) === null;
    show(byId("name-question"), isMeeting && isNew && !over);
  }
}

/** A field for the name of the person at a seat of this page. */
export function nameField({ seat, name }, say) {
  const field = make("input", {
    type: "text",
    value: name ?? "",
    maxLength: 24,
    placeholder: "your name",
    ariaLabel: `Name of the person at ${seatName(seat)}`,
    className: "person-name",
  });
  field.addEventListener("change", () => {
    const typed = field.value.split(/\s+/).filter(Boolean).join(" ");
    if (typed) say({ type: "name", seat, name: typed });
  });
  return field;
}
