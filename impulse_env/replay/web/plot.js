// Curves of the seats over the steps of a game; a click or a drag goes to a step.

const DASHES = ["", "8 3", "2 3", "10 3 2 3", "5 5", "1 4"];

class Plot {
  /**
   * @param size width and height, with the margins left, right, top and bottom
   * @param steps of the game, from left to right
   * @param most the value at the top; at the bottom is 0
   * @param label what is said of it to who does not see it
   * @param goTo called with a step
   */
  constructor(size, steps, most, label, goTo) {
    const { width, height, top, bottom } = size;
    Object.assign(this, { size, steps, most, goTo });
    this.now = makeSvg("line", { class: "now", y1: top, y2: height - bottom });
    const viewBox = `0 0 ${width} ${height}`;
    this.svg = makeSvg("svg", { viewBox, class: "impulse plot", role: "img", "aria-label": label });
    this.svg.addEventListener("pointerdown", (event) => this.follow(event));
    this.svg.addEventListener("pointermove", (event) => event.buttons === 1 && this.follow(event));
  }

  x(step) {
    const { width, left, right } = this.size;
    return left + ((width - left - right) * step) / Math.max(this.steps, 1);
  }

  y(value) {
    const { height, top, bottom } = this.size;
    return height - bottom - ((height - top - bottom) * value) / this.most;
  }

  follow(event) {
    const { width, left, right } = this.size;
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * width;
    this.goTo(Math.round(((x - left) / (width - left - right)) * this.steps));
  }

  draw(...parts) {
    this.svg.replaceChildren(...parts, this.now);
    return this.svg;
  }

  /** A line across at a value, and what stands beside it. */
  level(value, text) {
    const { width, left, right } = this.size;
    const y = this.y(value);
    const line = makeSvg("line", { class: "grid", x1: left, x2: width - right, y1: y, y2: y });
    return [line, this.label(left - 5, y + 4, text)];
  }

  label(x, y, text, anchor = "end") {
    return makeSvg("text", { x, y, "text-anchor": anchor }, text);
  }

  curve(seat, d) {
    const style = `stroke:var(--seat${seat})`;
    return makeSvg("path", { class: "curve", d, style, "stroke-dasharray": DASHES[seat] });
  }

  show(step) {
    const x = this.x(step);
    this.now.setAttribute("x1", x);
    this.now.setAttribute("x2", x);
  }
}
