// What the browser stores for this site. A browser without storage forgets, and all else works.

/** The stored text of a key; null if there is none. */
export function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Store a text by a key; null removes what is stored. */
export function store(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Nothing can be stored.
  }
}
