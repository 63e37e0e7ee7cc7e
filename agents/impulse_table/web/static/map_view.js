// Zoom of the map by buttons, two fingers or Ctrl with the wheel, and dragging of an enlarged map.

import { byId } from "/kit/elements.js";
import { fitText } from "./map_text.js";

const MOST = 5;
const STEP = 1.4;
const WHEEL = 0.002;
const SLACK = 8;

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

export class MapView {
  constructor(tile) {
    Object.assign(this, { tile, box: null, scale: 1, middle: null, fingers: new Map(), hasMoved: false });
    byId("zoom-in").addEventListener("click", () => this.zoom(STEP));
    byId("zoom-out").addEventListener("click", () => this.zoom(1 / STEP));
    byId("zoom-fit").addEventListener("click", () => this.zoom(0));
    tile.addEventListener("pointerdown", (event) => this.press(event));
    tile.addEventListener("pointermove", (event) => this.move(event));
    for (const kind of ["pointerup", "pointercancel"]) {
      tile.addEventListener(kind, ({ pointerId }) => this.fingers.delete(pointerId));
    }
    tile.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    // The click that ends a drag or a pinch chooses nothing.
    tile.addEventListener("click", (event) => this.hasMoved && event.detail && event.stopPropagation(), true);
  }

  /** Show the map in this box. */
  frame(box) {
    this.box = box;
    this.middle ??= { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    this.draw();
  }

  draw() {
    const { x, y, width, height } = this.box;
    const [across, down] = [width / this.scale, height / this.scale];
    this.middle.x = clamp(this.middle.x, x + across / 2, x + width - across / 2);
    this.middle.y = clamp(this.middle.y, y + down / 2, y + height - down / 2);
    const seen = [this.middle.x - across / 2, this.middle.y - down / 2, across, down];
    this.tile.setAttribute("viewBox", seen.map((value) => value.toFixed(1)).join(" "));
    this.tile.classList.toggle("zoomed", this.scale > 1);
    fitText(this.tile, Math.abs(this.tile.getScreenCTM()?.a ?? 1));
    byId("zoom-in").setAttribute("aria-disabled", String(this.scale >= MOST));
    byId("zoom-out").setAttribute("aria-disabled", String(this.scale <= 1));
  }

  /** Zoom by a factor around a fixed point; a factor of 0 fits the map. */
  zoom(factor, at = this.middle) {
    if (!this.box) return;
    const scale = clamp(this.scale * factor, 1, MOST);
    const share = this.scale / scale;
    this.middle = { x: at.x + (this.middle.x - at.x) * share, y: at.y + (this.middle.y - at.y) * share };
    this.scale = scale;
    this.draw();
  }

  /** The point of the drawing at a point of the screen. */
  below({ x, y }) {
    return new DOMPoint(x, y).matrixTransform(this.tile.getScreenCTM().inverse());
  }

  press(event) {
    if (this.fingers.size === 0) this.hasMoved = false;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before || !this.box) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (!this.hasMoved && Math.hypot(now.x - before.x, now.y - before.y) < SLACK) return;
    this.hasMoved = Boolean(other) || this.scale > 1;
    if (!this.hasMoved) return;
    this.tile.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, now);
    if (other) this.pinch(other, before, now);
    else this.drag(before, now);
  }

  pinch(still, before, now) {
    const distance = (point) => Math.hypot(point.x - still.x, point.y - still.y);
    const between = this.below({ x: (now.x + still.x) / 2, y: (now.y + still.y) / 2 });
    this.zoom(distance(now) / Math.max(distance(before), 1), between);
  }

  drag(before, now) {
    const [from, to] = [this.below(before), this.below(now)];
    this.middle.x -= to.x - from.x;
    this.middle.y -= to.y - from.y;
    this.draw();
  }

  turn(event) {
    if (!event.ctrlKey || !this.box) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * WHEEL), this.below({ x: event.clientX, y: event.clientY }));
  }
}
