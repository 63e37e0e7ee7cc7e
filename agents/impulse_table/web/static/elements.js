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
