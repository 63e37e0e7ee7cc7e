// The printed rules and the names of the cards.

let cards = {};

/** Resolves once the rules are loaded. */
export const loaded = fetch("/api/cards")
  .then((response) => response.json())
  .then((rules) => (cards = rules));

/** Title, text and meaning of a face; undefined until the rules are loaded. */
export const rulesOf = (face) => cards[face];

/** The spoken name of a face: "Command, red 2, card 22. Command one fleet ..." */
export function spokenName(face) {
  const rules = rulesOf(face);
  if (!rules) return face;
  const [, number, kind] = rules.title.match(/^(card \d+) \((.*)\)$/);
  return `${kind}, ${number}. ${rules.text.replace(/[[\]]/g, "")}`;
}
