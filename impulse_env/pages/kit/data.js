// A page that stands in one file with its data.

import { byId, show } from "./elements.js";

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/** Show the page: `begin` takes its data. What prevents that is said in a sentence. */
export async function openPage(begin) {
  try {
    if (typeof DecompressionStream === "undefined") {
      throw new Error("the browser is too old; any one of 2023 or later will do.");
    }
    const data = await unpack(byId("data").textContent);
    show(document.querySelector("main"), true);
    begin(data);
  } catch (error) {
    byId("trouble").textContent = `This page cannot be shown: ${error.message}`;
    show(byId("trouble"), true);
    throw error;
  }
}
