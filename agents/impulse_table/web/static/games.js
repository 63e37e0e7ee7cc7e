// The games of this browser. It stores them itself, because the server lists no tables but public
// ones: only the name and the tokens of a table open it.

import { store, stored } from "./storage.js";

const KEY = "impulse.games";
const MOST = 50;

function read() {
  try {
    const games = JSON.parse(stored(KEY));
    return Array.isArray(games) ? games : [];
  } catch {
    return [];
  }
}

function write(games) {
  store(KEY, JSON.stringify(games.slice(0, MOST)));
}

/** The games, newest first: {name, here: [token], elsewhere: {seat: token}, host: token}. */
export const games = read;

/** The games with a seat of this browser, newest first: {table, tokens}. */
export function own() {
  const seated = read().filter(({ here }) => here?.length);
  return seated.map(({ name, here }) => ({ table: name, tokens: here }));
}

/** The tokens of this browser's seats at a table. */
export function tokensAt(table) {
  return own().find((game) => game.table === table)?.tokens ?? [];
}

export function remember(game) {
  write([game, ...read().filter((other) => other.name !== game.name)]);
}

/** What this browser knows about the game with a name. */
export function gameOf(name) {
  return read().find((game) => game.name === name) ?? { name, here: tokensInAddress(), elsewhere: {} };
}

/** Replace a seat's token by a new one, in storage and in the page's address. */
export function relink(name, seat, token, old) {
  const replaced = (tokens) => tokens.map((other) => (other === old ? token : other));
  const game = gameOf(name);
  const isHere = game.here.includes(old);
  const elsewhere = isHere ? game.elsewhere : { ...game.elsewhere, [seat]: token };
  write(read().map((other) => (other.name === name ? { ...other, here: replaced(game.here), elsewhere } : other)));
  history.replaceState(null, "", addressOf(name, replaced(tokensInAddress())));
}

export function forget(name) {
  write(read().filter((game) => game.name !== name));
}

/** The address of a table with the tokens of some seats. The server never sees the part after #. */
export function addressOf(name, tokens) {
  const seats = tokens.length ? `#${tokens.join(",")}` : "";
  return `${location.origin}/table/${name}${seats}`;
}

export function tokensInAddress() {
  return location.hash.slice(1).split(",").filter(Boolean);
}
