// The agents that a person can choose at a table.

import { capital } from "/kit/elements.js";
import { store, stored } from "./storage.js";

const TRAINED = /^policy(?:\+search)?:(?:sb3-)?(\d)p/;

/** The agents for this number of players, which is part of a shipped network's name. */
export function playing(agents, players) {
  const fits = (name) => [undefined, String(players)].includes(name.match(TRAINED)?.[1]);
  return Object.entries(agents).filter(([name]) => fits(name));
}

/** The levels of opponents at a table, weakest first; a team size of 0 means no teams. */
export function levelsAt({ levels }, players, teamSize = 0) {
  return levels[teamSize ? `${players}-${teamSize}` : `${players}`];
}

/** The number of players and the size of a team at a table; 0 means no teams. */
export function tableOf(seats) {
  const teams = new Set(seats.map(({ team }) => team)).size;
  return [seats.length, seats[0].team === null ? 0 : seats.length / teams];
}


/** The agents that can play a seat at a table: the levels first, then all others by name. */
export function agentChoices(setup, players, teamSize) {
  const levels = levelsAt(setup, players, teamSize).map(({ name, agent }) => [agent, capital(name)]);
  const others = playing(setup.agents, players).filter(([name]) => levels.every(([agent]) => agent !== name));
  return [...levels, ...others.map(([name]) => [name, name])];
}

/** The agent of this browser's level at a table. */
export function levelAgent(setup, seats) {
  const level = levelChosen(setup);
  return levelsAt(setup, ...tableOf(seats)).find(({ name }) => name === level).agent;
}

/** The agent that gives hints at a table unless a person chooses another. */
export function adviserAt({ advisers }, seats) {
  const [players, teamSize] = tableOf(seats);
  return advisers[teamSize ? `${players}-${teamSize}` : players];
}

/** A level and its rating, in one line. */
export function levelText({ name, rating }) {
  const strength = rating === null ? "" : `, ${rating < 0 ? "−" : "+"}${Math.abs(rating)}`;
  return `${capital(name)}${strength}`;
}

const LEVEL_KEY = "impulse-level";

/** The level that this browser chose last; the default one if it chose none. */
export function levelChosen({ levels, usual_level }) {
  const last = stored(LEVEL_KEY);
  return levels["2"].some(({ name }) => name === last) ? last : usual_level;
}

export function keepLevel(name) {
  store(LEVEL_KEY, name);
}

/** Words for an agent's strength, by its least share of games won against greedy, in per cent. */
const WORDS = [[75, "strong"], [40, "fair"], [15, "easy"], [0, "very easy"]];

function speedOf(ms) {
  if (ms < 0.1) return "under 0.1 ms per decision";
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms per decision`;
}

/** Measured strength of an agent, as a word and a figure, and its speed. */
export function strengthOf(measured, name, players) {
  const known = measured[name];
  if (!known || (known.wins === null && known.ms === null)) return "strength unknown";
  const at = known.players === players ? "" : ` with ${known.players} players`;
  const parts = [];
  if (known.wins !== null) {
    const [, word] = WORDS.find(([least]) => known.wins >= least);
    parts.push(`${word}: wins ${Math.round(known.wins)} % against greedy${at}`);
  }
  if (known.ms !== null) parts.push(speedOf(known.ms));
  return parts.join(", ");
}
