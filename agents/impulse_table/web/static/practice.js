// Practice: the position of a mistake as its seat saw it, a choice, and what it gives away.

import { Choices } from "./choices.js";
import { Drawing } from "./drawing.js";
import { byId, capital, make, show } from "/kit/elements.js";
import { Refusal } from "./following.js";
import { own, tokensAt } from "./games.js";
import { Presses } from "/kit/keys.js";
import { tellLatest } from "./latest.js";
import { addToLog } from "./log.js";
import { ask, inDays } from "./mistakes_server.js";
import { messageForPeople, seatName } from "/kit/numbering.js";
import { explainCards } from "./rules.js";
import { attempt } from "./server.js";
import { showStandings } from "./standings.js";
import { actionOf, onClickedThing, pressedThing } from "./targets.js";
import { offerViews, showView } from "./views.js";
import { Why } from "/kit/why.js";

const presses = new Presses("#decision button, main [data-face], main [data-action]", /^[0-9]$/);
const drawing = new Drawing();
const choices = new Choices((action) => attempt(() => answer(action)));

const why = new Why();
const percent = (thousandths) => (thousandths / 10).toFixed(1);

/** The due puzzles, {table, step} each, and the number of the one on the page. */
let due = [];
let at = 0;
/** The state of the table in the puzzle; without options once it is answered. */
let state = null;
let isAwaited = false;

// --- The question ---------------------------------------------------------------------------------

async function begin() {
  due = (await ask("", { games: own() })).next;
  await pose(0);
}

/** Show a puzzle; after the last one, the page of all mistakes. */
async function pose(number) {
  if (number >= due.length) {
    location.replace("/mistakes");
    return;
  }
  const { table, step } = due[number];
  try {
    state = messageForPeople(await ask("/puzzle", { table, step, tokens: tokensAt(table) }));
  } catch (error) {
    // A puzzle that cannot be asked must not hide the others.
    if (error instanceof Refusal) return pose(number + 1);
    throw error;
  }
  at = number;
  const { topic, turn, by, prompt } = state;
  showView("map");
  drawing.update({ ...state, order: state.order.filter((name) => name !== "legend") });
  showStandings(state);
  byId("whose").className = "yours";
  byId("whose").textContent = `Turn ${turn} · you decide, ${seatName(by)}`;
  byId("count").textContent = `${at + 1} of ${due.length} · ${capital(topic)}`;
  byId("prompt").textContent = capital(prompt);
  byId("how").textContent = "What you played here was not the best. What would you choose?";
  for (const thing of ["verdict", "told"]) show(byId(thing), false);
  choices.update(state);
  addToLog(state);
  tellLatest(state);
  byId("decision").scrollTop = 0;
  byId("prompt").focus({ preventScroll: true });
  presses.changed();
}

// --- The answer -----------------------------------------------------------------------------------

async function answer(choice) {
  if (isAwaited || !state?.options.length) return;
  isAwaited = true;
  const { table, step } = due[at];
  try {
    const told = await ask("/answer", { table, step, tokens: tokensAt(table), choice });
    const { options } = state;
    state = { ...state, options: [] };
    choices.update(state);
    tellVerdict(choice, told, options);
    tellChoices(choice, told, options);
    presses.changed();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // It was answered elsewhere, or is gone.
    state = { ...state, options: [] };
    choices.update(state);
    offerNext(error.message, false);
    byId("before").textContent = "";
    why.show(null);
  } finally {
    isAwaited = false;
  }
}

function tellVerdict(choice, { right, cost, taken, judged, days }, options) {
  const { best, loss, error } = judged;
  const textOf = (action) => options.find((option) => option.action === action).text.replace(/\.$/, "");
  let said = "Right: that is the best.";
  if (right && choice !== best) said = `Right: nearly as good as the best: ${textOf(best)}.`;
  else if (!right) said = `Not quite: it gives away about ${Math.round(cost / 10)} % of the win. Better: ${textOf(best)}.`;
  offerNext(said, right);
  const before = taken === choice ? "The same as in the game." : `In the game: ${textOf(taken)}.`;
  byId("before").textContent = `${before} It cost ${percent(loss)} ± ${percent(2 * error)} % of the win${laterOf(judged)}. It comes back ${inDays(days)}.`;
  why.show(judged.why ?? null);
  byId("on-board").href = `/table/${due[at].table}/replay#${due[at].step}`;
}

/** Say how it was, and offer the next puzzle. */
function offerNext(said, isRight) {
  byId("said").textContent = said;
  byId("next").textContent = at + 1 < due.length ? "Next" : "Done";
  byId("verdict").classList.toggle("right", isRight);
  show(byId("verdict"), true);
  byId("decision").scrollTop = 0;
  byId("next").focus({ preventScroll: true });
}

/** What was left of a loss after a round more. */
function laterOf({ later, later_error: error }) {
  return later === undefined ? "" : `, and ${percent(later)} ± ${percent(2 * error)} % a round later`;
}

/** The choices with their chances to win, the best first. */
function tellChoices(choice, { taken, judged }, options) {
  const { chances, best, mark } = judged;
  const rows = [...options].sort((one, other) => chances[other.action] - chances[one.action]);
  const tags = { [best]: ["best"] };
  (tags[choice] ??= []).push("your answer");
  (tags[taken] ??= []).push(`in the game: ${mark}`);
  byId("told").replaceChildren(
    ...rows.map(({ action, text }) => {
      const bar = make("span", { className: "bar" });
      bar.style.setProperty("--share", chances[action] / 1000);
      const row = make(
        "li",
        { className: action === choice ? "answer" : "" },
        make("span", { className: "share", text: `${percent(chances[action])} %` }),
        make("span", { text: capital(text) }),
      );
      const marks = (tags[action] ?? []).map((words) => make("strong", { text: words }));
      if (marks.length) row.append(make("span", { className: "tags" }, ...marks));
      row.append(bar);
      return row;
    }),
  );
  show(byId("told"), true);
}

// --- From the person ------------------------------------------------------------------------------

function choose(element) {
  const action = state?.options.length && actionOf(element, state);
  if (action && state.options.some((option) => option.action === action)) attempt(() => answer(action));
}

onClickedThing(choose);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select")) return;
  const thing = pressedThing(event);
  if (thing) {
    event.preventDefault();
    choose(thing);
  } else if (/^[0-9]$/.test(event.key) && state?.options.length) choices.type(event.key);
});
byId("next").addEventListener("click", () => attempt(() => pose(at + 1)));

explainCards();
offerViews();
attempt(begin);
