// The printed rules of the cards, and how a card is called.

let cards = {};

/** When the rules are there. */
export const loaded = fetch("/api/cards")
  .then((response) => response.json())
  .then((told) => (cards = told));

/** Title, text and meaning of a face, undefined as long as they are not there. */
export const rulesOf = (face) => cards[face];

/** What is said of a face: "Command, red 2, card 22. Command one fleet ..." */
export function spokenName(face) {
  const rules = rulesOf(face);
  if (!rules) return face;
  const [, number, kind] = rules.title.match(/^(card \d+) \((.*)\)$/);
  return `${kind}, ${number}. ${rules.text.replace(/[[\]]/g, "")}`;
}
