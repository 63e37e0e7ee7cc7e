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
