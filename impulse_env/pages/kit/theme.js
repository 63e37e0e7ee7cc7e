// Light or dark, as the system has it or as was chosen here; kept by the browser.
(() => {
  const KEY = "impulse.theme";
  const THEMES = ["light", "dark"];
  const root = document.documentElement;

  function kept() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  function keep(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // A browser that keeps nothing still shows what was chosen.
    }
  }

  function apply(theme) {
    if (THEMES.includes(theme)) root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  function offer() {
    const select = document.getElementById("theme");
    if (!select) return;
    select.replaceChildren(...["auto", ...THEMES].map((theme) => new Option(theme)));
    select.value = root.dataset.theme ?? "auto";
    select.addEventListener("change", () => {
      apply(select.value);
      keep(select.value);
    });
  }

  apply(kept());
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", offer);
  else offer();
})();
