// Why a decision was costly, in the language of the browser or in one that was chosen.

import { byId } from "./elements.js";

const LANGUAGES = { en: "English", fr: "Français", es: "Español", zh: "中文" };
const CODES = { zh: "zh-Hant" };
const LANGUAGE = "impulse.language";

/** A cause in the elements why, why-said, why-checked and language of a page. */
export class Why {
  constructor() {
    [this.place, this.said, this.checked, this.select] = ["why", "why-said", "why-checked", "language"].map(byId);
    this.select.replaceChildren(...Object.entries(LANGUAGES).map(([key, name]) => new Option(name, key)));
    this.select.value = this.usual();
    this.select.addEventListener("change", () => this.choose());
    this.show(null);
  }

  usual() {
    const asked = navigator.languages.map((language) => language.slice(0, 2));
    const known = [this.kept(), ...asked].find((language) => Object.hasOwn(LANGUAGES, language));
    return known ?? "en";
  }

  kept() {
    try {
      return localStorage.getItem(LANGUAGE) ?? "";
    } catch {
      return ""; // a browser that keeps nothing
    }
  }

  choose() {
    try {
      localStorage.setItem(LANGUAGE, this.select.value);
    } catch {
      // A browser that keeps nothing still shows the language.
    }
    this.show(this.sentences);
  }

  /** Show a cause and how it was checked, given in every language; null: none is known. */
  show(sentences) {
    this.sentences = sentences;
    this.place.hidden = sentences === null;
    for (const part of [this.said, this.checked]) part.lang = CODES[this.select.value] ?? this.select.value;
    [this.said.textContent, this.checked.textContent] = sentences?.[this.select.value] ?? ["", ""];
  }
}
