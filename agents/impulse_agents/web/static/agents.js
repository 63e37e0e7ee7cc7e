// Which agents there are to choose from at a table.

const TRAINED = /^policy(?:\+search)?:(\d)p/;

/** The agents that play with so many: a shipped network's name says for how many it is. */
export function playing(agents, players) {
  const fits = (name) => [undefined, String(players)].includes(name.match(TRAINED)?.[1]);
  return Object.entries(agents).filter(([name]) => fits(name));
}

/** The agent to turn to at first: a trained one for that many players, else the search. */
export function usual(agents, players) {
  const trained = `policy:${players}p`;
  return trained in agents ? trained : "ismcts:300";
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
