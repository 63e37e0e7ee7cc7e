// The server's drawing, part by part, arranged as tiles: map, Impulse, hand, players.

import { byId, make, makeSvg } from "/kit/elements.js";
import { Marks } from "./latest.js";
import { MapView } from "./map_view.js";
import { drawForPeople } from "/kit/numbering.js";
import { impulseBox, layHand, layPanel } from "./panels.js";

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 3;
const FLASHING = /^(cell|gate|impulse|table)/;

/** Parse one part from the server; throws unless it is SVG without scripts. */
function parse(text) {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${text}</svg>`, "image/svg+xml");
  if (parsed.querySelector("parsererror, script, foreignObject")) throw new Error("unsound drawing");
  const element = document.importNode(parsed.documentElement.firstElementChild, true);
  // The page has its own tooltips for cards; the browser's would cover them.
  for (const title of element.querySelectorAll("title")) title.remove();
  drawForPeople(element);
  return element;
}

/** The tile of a part of the drawing; null: none, since the page has its own. */
function tileOf(name, { by, seats }) {
  if (/^(symbols|cards)$/.test(name)) return "definitions";
  if (/^(cell|gate|piles)/.test(name)) return "map";
  // With several teams, the Impulse of this page's team gets the tile that everybody sees first.
  const own = seats[by ?? 0].team ?? "";
  if (name === "impulse" || name === `impulse-${own}`) return "impulse";
  if (name.startsWith("impulse")) return `other-${name}`;
  if (name === "table" || name === "legend") return name;
  if (name === `hand-${by}`) return "hand";
  const seat = name.match(/^(?:seat|techs|minerals|plan|hand)-(\d)$/);
  return seat ? `player-${seat[1]}` : null;
}

export class Drawing {
  constructor() {
    this.parts = new Map();
    this.marks = new Marks();
    this.map = new MapView(byId("tile-map"));
    // Tiles in a place that was hidden, or had another size, get their layout once it is visible.
    this.rooms = new ResizeObserver((rooms) => rooms.forEach(({ target }) => this.layIn(target)));
    for (const room of ["map", "common", "hand", "own", "players"]) this.rooms.observe(byId(room));
  }

  layIn(room) {
    for (const tile of room.querySelectorAll("[id^=tile-]")) {
      if (tile.firstElementChild) this.crop(tile.id.slice("tile-".length));
    }
  }

  /** Show the parts that are new or have changed. */
  update(state) {
    const { whole, order, parts } = state;
    if (whole) this.clear();
    this.own = state.by;
    const touched = new Set();
    for (const name of order.filter((each) => each in parts)) {
      const tile = tileOf(name, state);
      if (!tile) continue;
      this.put(name, tile, parse(parts[name]), whole);
      touched.add(tile);
    }
    this.marks.update(state, this.parts);
    for (const tile of touched) this.crop(tile);
    this.follow(state.decides);
  }

  /** Scroll the other players' panels to the one who decides. */
  follow(seat) {
    const panel = byId(`tile-player-${seat}`)?.parentElement;
    if (seat === this.followed || panel?.parentElement !== byId("players")) return;
    this.followed = seat;
    byId("players").scrollTop = panel.offsetTop - byId("players").offsetTop;
  }

  put(name, tile, element, whole) {
    const before = this.parts.get(name);
    if (before) before.replaceWith(element);
    else this.tile(tile).append(element);
    if (!whole && FLASHING.test(name)) element.classList.add("changed");
    this.parts.set(name, element);
  }

  clear() {
    for (const element of this.parts.values()) element.remove();
    this.parts.clear();
    byId("players").replaceChildren();
    byId("own").replaceChildren();
  }

  tile(name) {
    const existing = byId(`tile-${name}`);
    if (existing) return existing;
    const svg = makeSvg("svg", { id: `tile-${name}`, class: "impulse", preserveAspectRatio: "xMinYMin" });
    const place = byId(name === `player-${this.own}` ? "own" : "players");
    place.append(make("div", { className: "player" }, svg));
    return svg;
  }

  /** Crop a tile to its content. */
  crop(name) {
    const tile = this.tile(name);
    if (name === "definitions") return;
    if (name === "hand") {
      layHand(tile);
      return;
    }
    const box = this.boxOf(name, tile);
    if (!box || !box.width) return;
    if (name === "map") {
      this.map.frame(box);
      return;
    }
    const size = [box.x - MARGIN, box.y - MARGIN, box.width + 2 * MARGIN, box.height + 2 * MARGIN];
    tile.setAttribute("viewBox", size.map((value) => value.toFixed(1)).join(" "));
  }

  /** The box of a tile: that of its panel, which is drawn first; the map has no panel. */
  boxOf(name, tile) {
    if (name === "table") return this.tableBox(tile);
    if (/impulse/.test(name)) return impulseBox(tile);
    if (name.startsWith("player")) return layPanel(tile);
    return (name === "map" ? tile : tile.querySelector("rect")).getBBox();
  }

  /** The box of the table's panel, cut off below its cards: the panel has its maximal height. */
  tableBox(tile) {
    const things = [...tile.querySelectorAll("use")];
    tile.toggleAttribute("hidden", !things.length);
    if (!things.length) return null;
    const panel = tile.querySelector("rect").getBBox();
    const bottoms = things.map((thing) => {
      const box = thing.getBBox();
      const matrix = thing.transform.baseVal.consolidate()?.matrix;
      const bottom = box.y + box.height;
      return matrix ? matrix.d * bottom + matrix.f : bottom;
    });
    const height = Math.min(panel.height, Math.max(...bottoms) - panel.y + 6);
    return { x: panel.x, y: panel.y, width: panel.width, height };
  }
}
