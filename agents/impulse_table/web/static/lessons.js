// Lessons of a first game: three steps about the game, then each kind of decision when it first comes.

import { byId, make, show } from "/kit/elements.js";
import { isYours } from "./people.js";
import { store, stored } from "./storage.js";
import { showView } from "./views.js";

const FIRST = /^first-[A-Za-z0-9_-]{12}$/;
const PLACES = {
  map: "the map",
  hand: "your hand",
  common: "the Impulse and the table",
  own: "your panel",
  options: "your choices",
};
/** The view of a narrow page that shows a part. */
const VIEWS = { map: "map", common: "common", own: "everyone" };

function read(key) {
  try {
    return { step: 0, seen: [], isStopped: false, ...JSON.parse(stored(key)) };
  } catch {
    return { step: 0, seen: [], isStopped: false };
  }
}

export class Lessons {
  /**
   * @param name of the table; it shows whether this is a first game
   * @param changed called when another lesson appears
   */
  constructor(name, changed) {
    this.changed = changed;
    this.key = `impulse.lessons.${name}`;
    this.isFirstGame = FIRST.test(name);
    this.progress = read(this.key);
    if (!this.isFirstGame) return;
    this.loaded = fetch("/static/lessons.json").then((response) => response.json());
    byId("lesson-next").addEventListener("click", () => this.goOn());
    byId("lesson-stop").addEventListener("click", () => this.change({ isStopped: true, step: Infinity }));
    byId("lesson-again").addEventListener("click", () => this.explainAgain());
  }

  /** Follow the state of the table. */
  async update(state) {
    if (!this.isFirstGame) return;
    this.lessons = await this.loaded;
    const kind = isYours(state) ? state.kind : null;
    if (kind !== this.kind) this.asked = false;
    this.kind = kind;
    if (state.over) this.progress.step = Infinity;
    this.draw();
  }

  /** The lesson to show now; null if there is none. */
  due() {
    const { step, seen, isStopped } = this.progress;
    const { steps, kinds } = this.lessons;
    if (step < steps.length) return steps[step];
    if (!this.kind || (!this.asked && (isStopped || seen.includes(this.kind)))) return null;
    return kinds[this.kind] ?? null;
  }

  draw() {
    const lesson = this.due();
    if (lesson !== this.shown) {
      this.changed();
      showView(VIEWS[lesson?.part] ?? "map");
    }
    this.shown = lesson;
    show(byId("lesson"), Boolean(lesson));
    show(byId("lesson-again"), !lesson && Boolean(this.kind));
    for (const place of document.querySelectorAll(".taught")) place.classList.remove("taught");
    if (!lesson) return;
    const { steps } = this.lessons;
    const number = this.progress.step < steps.length ? `${this.progress.step + 1} of ${steps.length}: ` : "";
    byId("lesson-title").textContent = `${number}${lesson.title}`;
    const page = make("span", { className: "page", text: ` (rulebook, ${lesson.page})` });
    byId("lesson-text").replaceChildren(lesson.text, page);
    byId("lesson-place").textContent = `Look at ${PLACES[lesson.part]}, which is outlined.`;
    byId("lesson-next").textContent = number ? "Next" : "Understood";
    byId(lesson.part).classList.add("taught");
    document.querySelector(`#views [data-view=${VIEWS[lesson.part]}]`)?.classList.add("taught");
  }

  goOn() {
    const { step, seen } = this.progress;
    if (step < this.lessons.steps.length) this.change({ step: step + 1 });
    else this.change({ seen: [...new Set([...seen, this.kind])] });
  }

  explainAgain() {
    this.change({ isStopped: false, seen: this.progress.seen.filter((kind) => kind !== this.kind) }, true);
  }

  change(news, asked = false) {
    Object.assign(this.progress, news);
    this.asked = asked;
    const step = Math.min(this.progress.step, this.lessons.steps.length);
    store(this.key, JSON.stringify({ ...this.progress, step }));
    this.draw();
  }
}
