// Which agents there are to choose from at a table.

const TRAINED = /^policy(?:\+search)?:(\d)p/;

/** The agents that play with so many: a shipped network's name says for how many it is. */
export function playing(agents, players) {
  const fits = (name) => [undefined, String(players)].includes(name.match(TRAINED)?.[1]);
  return Object.entries(agents).filter(([name]) => fits(name));
}

/** The levels of opponents at a table, weakest first; 0 is for no teams. */
export function levelsAt({ levels }, players, teamSize = 0) {
  return levels[teamSize ? `${players}-${teamSize}` : `${players}`];
}

/** What a level is, in a line. */
export function levelText({ name, agent, rating }) {
  const strength = rating === null ? "" : `, ${rating < 0 ? "−" : "+"}${Math.abs(rating)}`;
  return `${name}: ${agent}${strength}`;
}

const KEPT = "impulse-level";

/** The level that was chosen last in this browser, else the usual one. */
export function levelChosen({ levels, usual_level }) {
  const last = localStorage.getItem(KEPT);
  return levels["2"].some(({ name }) => name === last) ? last : usual_level;
}

export function keepLevel(name) {
  localStorage.setItem(KEPT, name);
}

/** How strong an agent is, by the share of games that it wins against greedy. */
const WORDS = [[75, "strong"], [40, "fair"], [15, "easy"], [0, "very easy"]];

function speedOf(ms) {
  if (ms < 0.1) return "under 0.1 ms a decision";
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms a decision`;
}

/** What is measured of an agent, in short: its strength in a word and a figure, and its speed. */
export function strengthOf(measured, name, players) {
  const known = measured[name];
  if (!known || (known.wins === null && known.ms === null)) return "strength unknown";
  const at = known.players === players ? "" : ` with ${known.players} players`;
  const told = [];
  if (known.wins !== null) {
    const [, word] = WORDS.find(([least]) => known.wins >= least);
    told.push(`${word}: wins ${Math.round(known.wins)} % against greedy${at}`);
  }
  if (known.ms !== null) told.push(speedOf(known.ms));
  return told.join(", ");
}
