// The drawing: a position replaces the parts that differ from those on the page.

import { makeSvg } from "./elements.js";
import { drawForPeople } from "./numbering.js";

export class Board {
  constructor(place) {
    this.place = place;
    this.eye = null;
    this.shown = null;
    this.parser = new DOMParser();
  }

  show(eye, { parts: wanted }) {
    if (eye !== this.eye) this.begin(eye);
    const changed = [...wanted.keys()].filter((part) => wanted[part] !== this.shown[part]);
    if (changed.length === 0) return;
    const drawn = this.parse(changed.map((part) => wanted[part]));
    changed.forEach((part, row) => {
      this.parts[part].replaceWith(drawn[row]);
      this.parts[part] = drawn[row];
    });
    this.shown = wanted;
  }

  begin(eye) {
    const [width, height] = eye.size;
    this.eye = eye;
    this.shown = eye.parts.map(() => null);
    this.parts = eye.parts.map(() => makeSvg("g"));
    const viewBox = `0 0 ${width} ${height}`;
    this.place.replaceChildren(
      makeSvg("svg", { class: "impulse", viewBox, role: "img", "aria-label": "Board" }, ...this.parts),
    );
  }

  // Fragments are groups. All at once, because to parse one takes almost as long as many.
  parse(fragments) {
    const source = `<svg xmlns="http://www.w3.org/2000/svg">${fragments.join("")}</svg>`;
    const parsed = this.parser.parseFromString(source, "image/svg+xml").documentElement;
    const drawn = document.importNode(parsed, true);
    drawForPeople(drawn);
    return [...drawn.children];
  }
}
