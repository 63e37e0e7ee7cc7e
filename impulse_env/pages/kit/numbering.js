// Numbers of seats for people, who count from 1; messages, addresses and records count from 0.

const SEAT = /\b(seats?|teams?) (\d(?:(?:, | and )\d)*)\b/gi;

/** The number of a seat, or of a team. */
export const numberOf = (seat) => seat + 1;

/** "seat 1" for seat 0. */
export const seatName = (seat) => `seat ${numberOf(seat)}`;

/** "Seat 1 (Ada)" for seat 0, at the start of a sentence. */
export const seatWith = (seat, name) => `Seat ${numberOf(seat)} (${name})`;

/** A text of the server, with numbers for people. */
export const forPeople = (text) =>
  text.replace(SEAT, (_, word, seats) => `${word} ${seats.replace(/\d/g, (seat) => numberOf(Number(seat)))}`);

const toldFor = (entry) => ({ ...entry, text: forPeople(entry.text) });

/** A message of the server, with numbers for people in its texts. What people have written stays. */
export function messageForPeople(message) {
  const { type, prompt, trouble, options, log, suggestions, message: words } = message;
  if (type === "state") {
    return {
      ...message,
      prompt: forPeople(prompt),
      trouble: trouble && forPeople(trouble),
      options: options.map(toldFor),
      log: log.map((entry) => ({ ...entry, events: entry.events.map(toldFor) })),
    };
  }
  if (type === "hint") return { ...message, suggestions: suggestions.map(toldFor) };
  return words ? { ...message, message: forPeople(words) } : message;
}

/** Number the seats in a part of the server's drawing for people. */
export function drawForPeople(element) {
  const marks = element.querySelectorAll("[id^='mark-'] text");
  for (const mark of marks) mark.textContent = numberOf(Number(mark.textContent));
  for (const text of element.querySelectorAll("text, title")) {
    if (text.childElementCount === 0 && text.textContent.search(SEAT) >= 0) text.textContent = forPeople(text.textContent);
  }
}
