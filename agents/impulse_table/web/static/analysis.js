// Analysis of any recorded game: a person drops or chooses a file, and the board opens when it is done.

import { byId, show } from "/kit/elements.js";
import { SILENT, complain } from "./server.js";
import { Refusal, follow } from "./following.js";

let upload = new AbortController();

function tell({ done, total }) {
  show(byId("progress"), true);
  byId("progress-text").textContent = `Analysing: ${done} of ${total} decisions`;
  byId("progress-bar").value = total ? done / total : 0;
}

/** Stop the analysis; the server stops, too, once no page asks for it. */
function stop() {
  upload.abort();
  show(byId("progress"), false);
}

async function analyse(file) {
  if (!file) return;
  stop();
  complain("");
  upload = new AbortController();
  const { signal } = upload;
  const begin = () => fetch("/api/analyses", { method: "POST", body: file, signal });
  try {
    const { name } = await follow(begin, (first) => `/api/analyses/${first.name}`, tell, signal);
    location.assign(`/analysis/${name}`);
  } catch (error) {
    if (signal.aborted) return;
    show(byId("progress"), false);
    complain(error instanceof Refusal ? error.message : SILENT);
  }
}

byId("stop").addEventListener("click", stop);

byId("file").addEventListener("change", () => analyse(byId("file").files[0]));
for (const kind of ["dragover", "drop", "dragleave"]) {
  addEventListener(kind, (event) => {
    event.preventDefault();
    byId("drop").classList.toggle("over", kind === "dragover");
    if (kind === "drop") analyse(event.dataTransfer.files[0]);
  });
}
