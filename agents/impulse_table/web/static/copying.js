// Copying a text; browsers have their clipboard for pages on this machine or by https alone.

import { make } from "./elements.js";

/** Copy a text; `beside` is an element of the same dialog or page. */
export async function copyText(text, beside) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = make("textarea", { value: text, className: "spoken" });
  beside.after(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  beside.focus();
}
