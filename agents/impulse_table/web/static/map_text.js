// Text of a small map, such as on a phone: few words, which are large enough to read.

const LEAST = 9; // pixels
const PRINTED = 12; // the letters of a card's effect, in the drawing's units
const TITLE = { size: 11.5, most: 27 };
const SHIPS = { size: 13, most: 2 };

/** The definition of a face with its title alone, made when first needed. */
function shortFace(name) {
  const id = `short-${name}`;
  const made = document.getElementById(id);
  if (made) return made;
  const face = document.getElementById(name).cloneNode(true);
  face.id = id;
  const [title] = face.querySelectorAll("text");
  for (const part of face.querySelectorAll("text:not([class*=on-]), .boxed")) if (part !== title) part.remove();
  title.classList.add("short");
  document.getElementById(name).after(face);
  return face;
}

/** Scale what has ships, around its middle. */
function enlarge(group, factor) {
  group.dataset.place ??= group.getAttribute("transform");
  group.setAttribute("transform", factor > 1 ? `${group.dataset.place} scale(${factor.toFixed(3)})` : group.dataset.place);
}

/**
 * Fit the text of the map to its size.
 * @param tile the map
 * @param scale pixels to a unit of the drawing
 */
export function fitText(tile, scale) {
  const isFar = PRINTED * scale < LEAST;
  tile.classList.toggle("far", isFar);
  for (const use of tile.querySelectorAll("use[data-face]")) {
    const name = use.getAttribute("href").replace(/^#(short-)?/, "");
    if (isFar) shortFace(name);
    use.setAttribute("href", isFar ? `#short-${name}` : `#${name}`);
  }
  const size = Math.min(Math.max(LEAST / scale, TITLE.size), TITLE.most);
  for (const title of document.querySelectorAll("#tile-definitions .short")) title.style.fontSize = `${size}px`;
  const factor = Math.min(Math.max(LEAST / scale / SHIPS.size, 1), SHIPS.most);
  tile.style.setProperty("--larger", factor.toFixed(3));
  for (const group of tile.querySelectorAll("g[data-action^=gate]:has(.pill), g[data-action^=cell] > g")) {
    enlarge(group, factor);
  }
}
