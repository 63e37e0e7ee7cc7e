// Making elements. Text goes in as text: nothing that a name or a message says becomes markup.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

/**
 * A new element.
 * @param properties of the element; what it has no property for becomes an attribute, and text its text
 * @param children elements or strings
 */
export function make(tag, { text, ...properties } = {}, ...children) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A button that does something. */
export function makeButton(press, properties, ...children) {
  const button = make("button", { type: "button", ...properties }, ...children);
  button.addEventListener("click", press);
  return button;
}

/** A text that begins a sentence. */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

export function makeSvg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The sign of a seat, as on the board, which defines it. */
export function markOf(seat, radius = 10) {
  const viewBox = [-radius, -radius, 2 * radius, 2 * radius].join(" ");
  return makeSvg(
    "svg",
    { class: "impulse mark", viewBox, "aria-hidden": "true" },
    makeSvg("use", { href: `#mark-${seat}` }),
  );
}

export function show(element, isShown) {
  element.hidden = !isShown;
}

/** Replace children unless they look the same: a button stays while a person presses it. */
export function renew(element, children) {
  const isSame = (child, index) => child.isEqualNode(element.children[index]);
  if (children.length === element.childElementCount && children.every(isSame)) return;
  element.replaceChildren(...children);
}

/** A list of names to choose from: pairs of a value and what is said of it. */
export function fill(select, names, chosen) {
  select.replaceChildren(...names.map(([value, text]) => make("option", { value, text })));
  if (chosen !== undefined) select.value = chosen;
}

/**
 * Copy a text; `beside` is an element of the same dialog or page. Browsers have their clipboard for
 * pages on this machine or by https alone.
 */
export async function copyText(text, beside) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = make("textarea", { value: text, className: "spoken" });
  beside.after(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  beside.focus();
}
