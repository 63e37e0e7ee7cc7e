// The page on which the game runs in the browser: the table's own script talks to a worker instead
// of a server, by the same requests and messages.

import { store, stored } from "./storage.js";

const KEY = "impulse.play";
const OVER = "impulse.play.over";
const OPEN = 1;
const CLOSED = 3;
const byId = (id) => document.getElementById(id);

// --- The worker ---------------------------------------------------------------------------------

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const waiting = new Map();
let last = 0;
let socket = null;

/** Ask the worker; resolves to its answer, or rejects with the reason. */
function ask(request, text = "") {
  const id = ++last;
  worker.postMessage({ id, request, text });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

const HEARD = {
  answer({ id, value, error }) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(value);
    else reject(new Error(error));
  },
  progress: ({ text }) => say(text),
  failed: ({ text }) => fail(text),
  loaded: ({ bytes }) => Object.assign(byId("begin-bar"), { value: bytes }),
  keep({ text, isOver }) {
    store(KEY, text);
    store(OVER, isOver ? "yes" : null);
  },
  message: ({ text }) => socket?.dispatchEvent(new MessageEvent("message", { data: text })),
};

worker.addEventListener("message", ({ data }) => HEARD[data.kind](data));
worker.addEventListener("error", () => {
  if (!isReady()) fail("the network failed, or this browser is too old for modules in workers");
});

// --- In place of the server ---------------------------------------------------------------------

const fetchFile = globalThis.fetch.bind(globalThis);

globalThis.fetch = async (address, options) => {
  if (typeof address !== "string" || !address.startsWith("/")) return fetchFile(address, options);
  if (address.startsWith("/static/")) return fetchFile(`.${address.slice("/static".length)}`);
  const answer = await ask("answer", address);
  return new Response(answer ?? "", { status: answer === undefined ? 404 : 200 });
};

globalThis.WebSocket = class extends EventTarget {
  static OPEN = OPEN;
  static CLOSED = CLOSED;

  constructor() {
    super();
    socket = this;
    this.readyState = 0;
    ask("connect").then(() => {
      this.readyState = OPEN;
      this.dispatchEvent(new Event("open"));
    });
  }

  send(text) {
    ask("hear", text);
  }
};

// --- The start ----------------------------------------------------------------------------------

const root = document.documentElement;

const isReady = () => root.dataset.ready === "yes";

function say(text) {
  byId("begin-status").textContent = text;
}

function fail(reason) {
  if ("failed" in root.dataset) return;
  say(`The game cannot start: ${reason.replace(/\.$/, "")}. Load this page again.`);
  byId("begin-bar").hidden = true;
  root.dataset.failed = reason;
}


const level = () => byId("begin-level").value;

async function play(request, text) {
  byId("begin-buttons").hidden = true;
  const token = await ask(request, text);
  history.replaceState(null, "", `#${token}`);
  document.body.classList.add("playing");
  await import(new URL("table.js", import.meta.url));
}

/** Whether the next press on Play replaces a saved game that is not over. */
let isWarned = false;

function deal() {
  if (stored(KEY) !== null && stored(OVER) === null && !isWarned) {
    isWarned = true;
    return say("A saved game is not over: press Play again to replace it.");
  }
  const seed = new URLSearchParams(location.search).get("seed");
  const request = JSON.stringify({ seats: ["person", level()] });
  return play("begin", seed === null ? request : `${request.slice(0, -1)},"seed":${BigInt(seed)}}`);
}

async function saveRecord() {
  const text = await ask("answer", "/record");
  if (text === undefined) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = "impulse.jsonl";
  link.click();
  URL.revokeObjectURL(link.href);
}

document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest?.("#record-button[aria-disabled=false]");
    if (!button) return;
    event.stopPropagation();
    saveRecord();
  },
  true,
);

async function start() {
  await ask("load");
  say("");
  byId("begin-bar").hidden = true;
  const { agents, levels, usual_level: usual } = JSON.parse(await ask("answer", "/api/setup"));
  for (const { name, agent } of levels["2"]) {
    const text = `${name[0].toUpperCase()}${name.slice(1)} (${agent}: ${agents[agent]})`;
    byId("begin-level").add(new Option(text, agent, name === usual, name === usual));
    delete agents[agent];
  }
  for (const [name, about] of Object.entries(agents)) byId("begin-level").add(new Option(`${name}: ${about}`, name));
  byId("begin-buttons").hidden = false;
  byId("begin-new").addEventListener("click", deal);
  const saved = stored(KEY);
  byId("begin-resume").hidden = saved === null;
  if (stored(OVER) !== null) byId("begin-resume").textContent = "Look at the finished game";
  byId("begin-resume").addEventListener("click", () =>
    play("resume", saved).catch((error) => {
      say(`The saved game cannot be opened: ${error.message}`);
      byId("begin-buttons").hidden = false;
      byId("begin-resume").hidden = true;
      isWarned = true;
    }),
  );
  root.dataset.ready = "yes";
  // Without it, as in private windows, the game runs as well, but needs the network each time.
  navigator.serviceWorker?.register("offline.js").catch(() => {});
}

globalThis.impulse = { ask };
start().catch((error) => fail(error.message));
