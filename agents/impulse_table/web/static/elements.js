// Making elements. Text goes in as text: nothing that a name or a message says becomes markup.

export const byId = (id) => document.getElementById(id);

/** A new element with properties and children, which are elements or strings. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export function show(element, isShown) {
  element.hidden = !isShown;
}

/** Pages are sent with disabled buttons, as nothing would hear them before their script does. */
export function enableButtons() {
  for (const button of document.querySelectorAll("button:disabled")) button.disabled = false;
}

/** A list of names to choose from. */
export function fill(select, names, chosen) {
  select.replaceChildren(
    ...names.map(([value, text]) => make("option", { value, textContent: text })),
  );
  if (chosen !== undefined) select.value = chosen;
}

export const SILENT = "The server does not answer; is it still running?";

/** Say what went wrong, in the line that pages have for it. */
export function complain(message) {
  byId("fault").textContent = message;
  show(byId("fault"), Boolean(message));
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
