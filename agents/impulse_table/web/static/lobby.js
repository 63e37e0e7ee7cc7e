// The start page: a form for a new game, and the games of this browser.

import { agentChoices, keepLevel, levelChosen, levelsAt, levelText, playing, strengthOf } from "./agents.js";
import { byId, fill, make, show } from "/kit/elements.js";
import { SILENT, complain, enableButtons } from "./server.js";
import { addressOf, forget, games, own } from "./games.js";
import { ask } from "./mistakes_server.js";
import { numberOf, seatName } from "/kit/numbering.js";
import { offerInvitations } from "./invitations.js";
import { listTables } from "./listing.js";
import { WHEN_AWAY } from "./people.js";
import { offerQuickStart } from "./quick_start.js";
import { ELSEWHERE, HERE, startBy } from "./starting.js";
import { Presses } from "/kit/keys.js";

const OTHER = "other";
const presses = new Presses("#game-list button");

const setup = await fetch("/api/setup").then((response) => response.json()).catch(() => null);

function choices(seat, players) {
  return [
    [HERE, seat === 0 ? "You" : "A person at this screen"],
    [ELSEWHERE, "A person in another window or browser"],
    ...playing(setup.agents, players).map(([name, about]) => [name, `${name} – ${about}`]),
    [OTHER, "Another agent …"],
  ];
}

const teamSize = () => numberOr(byId("teams").value, 0);

/** The agent of the chosen level at the chosen kind of table. */
function agentOfLevel(players) {
  return levelsAt(setup, players, teamSize()).find(({ name }) => name === byId("level").value).agent;
}

function seatRow(seat, players, chosen) {
  const select = make("select", { id: `seat-${seat}` });
  select.dataset.own = chosen ? "yes" : "";
  fill(select, choices(seat, players), chosen ?? (seat === 0 ? HERE : agentOfLevel(players)));
  const other = make("input", {
    type: "text",
    hidden: true,
    placeholder: "policy:runs/mine",
    ariaLabel: `Agent at ${seatName(seat)}`,
    title: `One of: ${setup.patterns.join(", ")}`,
  });
  const strength = make("span", { className: "strength" });
  const tell = () => {
    show(other, select.value === OTHER);
    const isAgent = ![HERE, ELSEWHERE, OTHER].includes(select.value);
    strength.textContent = isAgent ? strengthOf(setup.measured, select.value, players) : "";
  };
  select.addEventListener("change", () => {
    select.dataset.own = "yes";
    tell();
  });
  tell();
  return make("li", {}, make("label", { htmlFor: select.id, text: `Seat ${numberOf(seat)}` }), select, other, strength);
}

function layTable() {
  const players = Number(byId("players").value);
  const sizes = setup.teams[players] ?? [];
  fill(byId("teams"), [["", "none"], ...sizes.map((size) => [size, `teams of ${size}`])]);
  byId("teams").disabled = !sizes.length;
  layLevels();
  const seats = Array.from({ length: players }, (_, seat) => [seat, seatName(seat)]);
  fill(byId("start"), [["", "drawn at random"], ...seats]);
}

/** Offer the levels of the table; untouched seats get the agent of the chosen level. */
function layLevels() {
  const players = Number(byId("players").value);
  const level = byId("level").value || levelChosen(setup);
  const levels = levelsAt(setup, players, teamSize());
  fill(byId("level"), levels.map((one) => [one.name, levelText(one)]), level);
  fill(byId("clock-agent"), agentChoices(setup, players, teamSize()), agentOfLevel(players));
  laySeats();
}

/** The player that a person chose for a seat, which stays; undefined for a network, as it fits only
 *  one number of players. */
function chosenAt(select) {
  const isOwn = select?.dataset.own && select.value !== OTHER && !select.value.startsWith("policy");
  return isOwn ? select.value : undefined;
}

function laySeats() {
  const players = Number(byId("players").value);
  const before = [...byId("seats").querySelectorAll("select")];
  const chosen = (seat) => chosenAt(before[seat]);
  byId("seats").replaceChildren(
    ...Array.from({ length: players }, (_, seat) => seatRow(seat, players, chosen(seat))),
  );
}

function seatsChosen() {
  return [...byId("seats").children].map((row) => {
    const chosen = row.querySelector("select").value;
    return chosen === OTHER ? row.querySelector("input").value.trim() : chosen;
  });
}

const numberOr = (text, otherwise) => (text === "" ? otherwise : Number(text));

/** The request, with the seed as typed: it may exceed JavaScript's exact integers. */
function body(request) {
  const seed = byId("seed").value.trim();
  const text = JSON.stringify(request);
  return /^[0-9]+$/.test(seed) ? `${text.slice(0, -1)},"seed":${BigInt(seed)}}` : text;
}

function start() {
  const seats = seatsChosen();
  const isPerson = (who) => who === HERE || who === ELSEWHERE;
  const request = {
    seats: seats.map((who) => (isPerson(who) ? "person" : who)),
    team_size: numberOr(byId("teams").value, null),
    races: byId("races").value || null,
    start_player: numberOr(byId("start").value, null),
    listed: byId("listed-table").checked,
    away_minutes: numberOr(byId("away").value, null),
    target_score: numberOr(byId("target").value, 20),
    turn_seconds: numberOr(byId("turn-seconds").value, null),
    game_minutes: numberOr(byId("game-minutes").value, null),
    clock_agent: byId("clock-agent").value,
  };
  return startBy(byId("start-game"), "/api/tables", body(request), seats);
}

byId("new-game").addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});

async function gameRow(game) {
  const response = await fetch(`/api/tables/${game.name}`);
  if (response.status === 404) return null;
  if (!response.ok) return make("li", {}, make("span", { text: (await response.json()).message }));
  const { players, scores, winners, turn, over } = await response.json();
  const seats = players.map((_, seat) => seat);
  const first = (seat) => winners.includes(seat);
  if (over) seats.sort((one, other) => first(other) - first(one) || scores[other] - scores[one] || one - other);
  const against = seats.map((seat) => `${players[seat]} ${scores[seat]}`).join(" – ");
  const when = over ? "over" : `turn ${turn + 1}`;
  const link = make("a", { href: addressOf(game.name, game.here), text: against });
  const drop = make("button", { type: "button", text: "Forget", ariaLabel: `Forget ${against}` });
  const row = make("li", {}, link, make("span", { text: when }), drop);
  drop.addEventListener("click", () => {
    forget(game.name);
    row.remove();
    presses.changed();
  });
  return row;
}

async function listGames() {
  const rows = (await Promise.all(games().map(gameRow))).filter(Boolean);
  byId("game-list").replaceChildren(...rows);
  show(byId("games"), rows.length > 0);
}

/** Set up what depends on agents and levels; until then all buttons are disabled. */
function offer() {
  fill(byId("away"), WHEN_AWAY);
  byId("turn-seconds").value = setup.clock.turn_seconds ?? "";
  byId("game-minutes").value = setup.clock.game_minutes ?? "";
  byId("players").addEventListener("change", layTable);
  byId("teams").addEventListener("change", layLevels);
  byId("level").addEventListener("change", () => {
    keepLevel(byId("level").value);
    const isPerson = ({ value }) => [HERE, ELSEWHERE].includes(value);
    for (const select of byId("seats").querySelectorAll("select")) {
      if (!isPerson(select)) select.dataset.own = "";
    }
    laySeats();
  });
  layTable();
  offerQuickStart(setup);
  offerInvitations(setup);
  enableButtons();
}

if (setup) offer();
else complain(SILENT);
/** Tell how many puzzles are due. Without an answer, the link alone has to do. */
async function countDue() {
  if (!own().length) return;
  const { due } = await ask("", { games: own() }).catch(() => ({ due: 0 }));
  byId("due").textContent = due ? `${due} due` : "";
}

listTables();
listGames();
countDue();
