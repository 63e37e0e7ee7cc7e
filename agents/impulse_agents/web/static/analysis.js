// Any recorded game: its file is dropped or chosen, and the board opens once it is analysed.

import { byId, show } from "./elements.js";
import { SILENT, complain } from "./faults.js";

const POLL_MS = 500;

function tell({ done, total }) {
  show(byId("progress"), true);
  byId("progress-text").textContent = `Analysing: ${done} of ${total} decisions`;
  byId("progress-bar").value = total ? done / total : 0;
}

async function follow(response) {
  let name = null;
  for (;;) {
    const answer = await response.json();
    const { ready, fault, message } = answer;
    if (message || fault) {
      show(byId("progress"), false);
      return complain(message ?? fault);
    }
    name ??= answer.name;
    if (ready) return location.assign(`/analysis/${name}`);
    tell(answer);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    response = await fetch(`/api/analyses/${name}`);
  }
}

async function analyse(file) {
  if (!file) return;
  complain("");
  try {
    await follow(await fetch("/api/analyses", { method: "POST", body: file }));
  } catch {
    complain(SILENT);
  }
}

byId("file").addEventListener("change", () => analyse(byId("file").files[0]));
for (const kind of ["dragover", "drop", "dragleave"]) {
  addEventListener(kind, (event) => {
    event.preventDefault();
    byId("drop").classList.toggle("over", kind === "dragover");
    if (kind === "drop") analyse(event.dataTransfer.files[0]);
  });
}
