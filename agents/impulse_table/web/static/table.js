// The page of a table: receives the state of the game from the server, and sends choices.

import { Choices, sayWhat } from "./choices.js";
import { Chat } from "./chat.js";
import { Clock } from "./clock.js";
import { Connection } from "./connection.js";
import { DeadEnds } from "./dead_ends.js";
import { Dragging } from "./dragging.js";
import { Drawing } from "./drawing.js";
import { byId, fill, show } from "/kit/elements.js";
import { GameOver } from "./game_over.js";
import { addressOf, gameOf, relink, tokensInAddress } from "./games.js";
import { Hints } from "./hints.js";
import { Leaving } from "./leaving.js";
import { Lessons } from "./lessons.js";
import { allowInvitations } from "./invitations.js";
import { tellLatest } from "./latest.js";
import { addToLog } from "./log.js";
import { messageForPeople, seatName } from "/kit/numbering.js";
import { NameQuestion, People, isYours } from "./people.js";
import { explainCards } from "./rules.js";
import { listSeats, showStandings } from "./standings.js";
import { speak } from "./announcer.js";
import { Takeback } from "./takeback.js";
import { actionOf, onClickedThing, pressedThing } from "./targets.js";
import { TurnNotice } from "./turn_notice.js";
import { offerViews, showView } from "./views.js";
import { Presses } from "/kit/keys.js";

const name = location.pathname.split("/").pop();
const NOTICE_SECONDS = 12;

let state = null;
/** Whether the server has not yet answered the last decision. */
let isAwaited = false;

const presses = new Presses("#decision button, dialog button, main [data-face], main [data-action]", /^[0-9hz]$/i);
const drawing = new Drawing();
const choices = new Choices(act);
const dragging = new Dragging(act);
const hints = new Hints((agent) => say({ type: "hint", agent }), act, () => presses.changed());
const takeback = new Takeback(decide);
const ending = new GameOver(name, say);
const lessons = new Lessons(name, () => presses.changed());
const people = new People(say);
const question = new NameQuestion(name, say);
const chat = new Chat(name, say);
const clock = new Clock();
const notice = new TurnNotice();
const leaving = new Leaving(say);
const deadEnds = new DeadEnds(() => connection.reconnect());
const connection = new Connection(
  `/api/tables/${name}/socket`,
  () => ({ type: "join", tokens: tokensInAddress(), host: gameOf(name).host ?? null }),
  hear,
  (seconds) => deadEnds.lost(seconds),
  () => deadEnds.outdated(),
);

function say(message) {
  const isSent = connection.say(message);
  if (!isSent) complain("The page has no connection to the server right now.");
  return isSent;
}

/** Send a decision; ignore others until the server answers. */
function decide(message) {
  if (isAwaited) presses.inVain();
  else if (state) {
    isAwaited = say(message);
    byId("decision").setAttribute("aria-busy", String(isAwaited));
  }
}

function goOn() {
  isAwaited = false;
  byId("decision").removeAttribute("aria-busy");
}

const taking = (action) => ({ type: "act", step: state.step, action });

function act(action) {
  decide(taking(action));
}

/** What a person at this page can decide, as a string; moves of agents do not change it. */
function atHand({ by, curtain, options, step, asked, conceding, trouble, over }) {
  const actions = options.map(({ action }) => action);
  return JSON.stringify([by, curtain, actions.length && step, actions, asked, conceding, trouble, over]);
}

// --- From the server ----------------------------------------------------------------------------

function hear(heard) {
  const message = messageForPeople(heard);
  if (message.type === "state") update(message);
  else if (message.type === "end") putOut(message);
  else if (message.type === "link") {
    relink(name, message.seat, message.token, message.instead_of);
    showSeats();
  }
  else if (message.type === "chat") chat.hear(message, state.here);
  else if (message.type === "hint") hints.tell(message);
  else if (message.type === "refusal") {
    hints.silence();
    goOn();
    complain(message.message);
  } else {
    goOn();
    complain(`The server did not understand this page: ${message.message}`);
  }
}

function update(news) {
  const isFirst = state === null;
  const isOther = isFirst || atHand(news) !== atHand(state);
  if (news.step !== state?.step) complain("");
  // The server sends the whole state to a new connection, and after a choice was taken back.
  if (isOther || news.whole) {
    goOn();
    dragging.cancel();
  }
  state = news;
  drawing.update(state);
  showStandings(state);
  sayWhat(state);
  choices.update(state);
  dragging.update(state);
  hints.update(state);
  takeback.update(state);
  ending.update(state);
  lessons.update(state);
  people.update(state);
  leaving.update(state);
  question.update(state);
  clock.update(state);
  addToLog(state);
  chat.update(state);
  speak(state);
  for (const place of ["hand", "own"]) show(byId(place), state.by !== null);
  // The button stays between two moves of agents, so that a finger can reach it.
  const deciding = state.seats[state.decides];
  const isAgents = deciding !== undefined && (!deciding.person || deciding.stand_in !== null);
  show(byId("skip"), isAgents && !state.trouble && state.here.length > 0);
  byId("pace").value = String(state.pause);
  byId("record-button").setAttribute("aria-disabled", String(!state.over));
  show(byId("unseated"), new Set(tokensInAddress()).size > state.here.length);
  show(byId("unseated-host"), state.host);
  show(byId("unseated-own"), ownSeat() !== null);
  drawCurtain(state.curtain);
  tellLatest(state);
  if (isFirst && state.step === 0 && Object.keys(gameOf(name).elsewhere).length) showSeats();
  document.title = `${isYours(state) ? "▶ " : ""}Impulse`;
  notice.update(state);
  if (isOther) {
    byId("decision").scrollTop = 0;
    presses.changed();
  }
}

/** The address of the seat that this browser has had; null if this page has it, or there is none. */
function ownSeat() {
  const { here } = gameOf(name);
  return here.length && String(here) !== String(tokensInAddress()) ? addressOf(name, here) : null;
}

function sitDown() {
  history.replaceState(null, "", ownSeat());
  location.reload();
}

function complain(message) {
  clearTimeout(complain.timer);
  byId("notice").textContent = message;
  show(byId("notice"), Boolean(message));
  if (message) complain.timer = setTimeout(() => complain(""), 1000 * NOTICE_SECONDS);
}

function putOut(message) {
  connection.end();
  deadEnds.end(message);
  show(byId("connection-own"), message.watch && ownSeat() !== null);
}

// --- Several persons at one screen --------------------------------------------------------------

function drawCurtain(seat) {
  const curtain = byId("curtain");
  if (seat === null) {
    curtain.close();
    return;
  }
  byId("curtain-title").textContent = `Pass the screen to ${seatName(seat)}`;
  byId("curtain-button").textContent = `I am ${seatName(seat)}: show my hand`;
  byId("curtain-button").onclick = () => say({ type: "look", seat });
  if (!curtain.open) curtain.showModal();
}

byId("curtain").addEventListener("cancel", (event) => event.preventDefault());

function showSeats() {
  listSeats(state, name, gameOf(name).elsewhere, say);
  show(byId("revoking"), state.host);
  if (!byId("links").open) byId("links").showModal();
}

// --- From the person ----------------------------------------------------------------------------

function choose(element) {
  if (!state) return;
  const action = actionOf(element, state);
  if (action) act(action);
  else if (!isYours(state)) say(taking("pass")); // the server answers with the reason
  else complain("That is not a choice now; choose what is marked, or one of the sentences.");
}

onClickedThing(choose);

const COMMANDS = {
  h: () => byId("hinting").hidden || hints.ask(),
  b: () => {
    showView("map");
    byId("tile-map").querySelector("[tabindex]")?.focus();
  },
  z: takeback.ask,
  q: () => location.assign("/"),
  "?": openHelp,
  "+": () => byId("zoom-in").click(),
  "-": () => byId("zoom-out").click(),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const thing = pressedThing(event);
  if (thing) {
    event.preventDefault();
    choose(thing);
  } else if (event.target.closest("input, select")) {
    return;
  } else if (/^[0-9]$/.test(event.key)) choices.type(event.key);
  else COMMANDS[event.key.toLowerCase()]?.();
});

function openHelp() {
  byId("help").showModal();
  drawing.crop("legend");
}

byId("unseated-own").addEventListener("click", sitDown);
byId("connection-own").addEventListener("click", sitDown);
byId("skip").addEventListener("click", () => say({ type: "skip" }));
byId("retry").addEventListener("click", () => decide({ type: "retry" }));
byId("replace").addEventListener("click", () =>
  decide({ type: "replace", seat: state.decides, agent: byId("substitute").value }),
);
byId("pace").addEventListener("change", (event) =>
  say({ type: "pace", seconds: Number(event.target.value) }),
);
byId("help-button").addEventListener("click", openHelp);
byId("links-button").addEventListener("click", () => state && showSeats());
byId("record-button").addEventListener("click", () => {
  if (state?.over) location.assign(`/api/tables/${name}/record`);
  else complain("A record shows every hand: save it once the game is over. Until then the game is saved after each decision.");
});

explainCards();
offerViews();
const setup = await (await fetch("/api/setup")).json();
const agents = Object.keys(setup.agents).map((agent) => [agent, agent]);
fill(byId("substitute"), agents, "greedy");
hints.advisers(setup);
leaving.offer(setup);
allowInvitations(setup);
// If the list of seats opened before the setup was loaded, it does not know who can open its links.
if (byId("links").open) showSeats();
