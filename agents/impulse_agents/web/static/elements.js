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

/** Buttons that a page is sent with disabled, as nothing would hear them before its script does. */
export function enable(...ids) {
  for (const id of ids) byId(id).disabled = false;
}

/** A list of names to choose from. */
export function fill(select, names, chosen) {
  select.replaceChildren(
    ...names.map(([value, text]) => make("option", { value, textContent: text })),
  );
  if (chosen !== undefined) select.value = chosen;
}
