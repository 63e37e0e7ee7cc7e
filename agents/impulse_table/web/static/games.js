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

/** The games, newest first: {name, here: [token], elsewhere: {seat: token}, host: token}. */
export const games = read;

export function remember(game) {
  write([game, ...read().filter((other) => other.name !== game.name)]);
}

/** The game of that name as this browser knows it. */
export function gameOf(name) {
  return read().find((game) => game.name === name) ?? { name, here: tokensInAddress(), elsewhere: {} };
}

/** Keep a seat's new token where its old one was, in the page's address too. */
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

/** The address of a table for whoever holds these tokens. The server never sees the part after #. */
export function addressOf(name, tokens) {
  const seats = tokens.length ? `#${tokens.join(",")}` : "";
  return `${location.origin}/table/${name}${seats}`;
}

export function tokensInAddress() {
  return location.hash.slice(1).split(",").filter(Boolean);
}
