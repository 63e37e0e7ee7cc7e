// The games that this browser has sat down at. Kept here because the server tells nobody which
// tables there are: a table's name and its tokens are what lets one in.

const KEY = "impulse.games";
const MOST = 50;

function read() {
  try {
    const games = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(games) ? games : [];
  } catch {
    return [];
  }
}

function write(games) {
  try {
    localStorage.setItem(KEY, JSON.stringify(games.slice(0, MOST)));
  } catch {
    // A browser that keeps nothing still plays: the page's address opens the seat.
  }
}

/** The games, newest first: {name, here: [token], elsewhere: {seat: token}}. */
export const games = read;

export function remember(game) {
  write([game, ...read().filter((other) => other.name !== game.name)]);
}

export function forget(name) {
  write(read().filter((game) => game.name !== name));
}

/** The address of a table for whoever holds these tokens. The server never sees the part after #. */
export function addressOf(name, tokens) {
  const seats = tokens.length ? `#${tokens.join(",")}` : "";
  return `${location.origin}/table/${name}${seats}`;
}

export function tokensInAddress() {
  return location.hash.slice(1).split(",").filter(Boolean);
}
