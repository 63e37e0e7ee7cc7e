"""Whether a page in Chromium fits its screen, and can be touched."""

FINGER = 44
TOUCH = {"has_touch": True, "is_mobile": True}
SIZES = {
    (390, 664): TOUCH,
    (390, 844): TOUCH,
    (844, 390): TOUCH,
    (1000, 800): {},
    (1280, 800): {},
    (1366, 768): {},
}
"""Width and height of a phone with and without the browser's bars, on its side, of laptops."""
TARGETS = "button, select, input, summary, #tile-hand [data-face]"
SMALL_TARGETS = """([targets, least]) => [...document.querySelectorAll(targets)]
    .filter((each) => each.checkVisibility({visibilityProperty: true}))
    .map((each) => [each.id || each.textContent, each.getBoundingClientRect()])
    .filter(([, box]) => box.width < least || box.height < least)
    .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
COVERED = """(choices) => {
    const seen = (element) => {
        let { left, top, right, bottom } = element.getBoundingClientRect();
        [left, top] = [Math.max(left, 0), Math.max(top, 0)];
        [right, bottom] = [Math.min(right, innerWidth), Math.min(bottom, innerHeight)];
        for (let up = element.parentElement; up; up = up.parentElement) {
            const { overflow, display } = getComputedStyle(up);
            if (overflow === "visible" || display === "contents") continue;
            const box = up.getBoundingClientRect();
            const [x, y] = [box.left + up.clientLeft, box.top + up.clientTop];
            [left, top] = [Math.max(left, x), Math.max(top, y)];
            right = Math.min(right, up.clientWidth ? x + up.clientWidth : box.right);
            bottom = Math.min(bottom, up.clientHeight ? y + up.clientHeight : box.bottom);
        }
        return { left, top, width: right - left, height: bottom - top };
    };
    const lies = (element) => {
        const { left, top, width, height } = seen(element);
        if (width < 8 || height < 8) return [];
        const points = [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((across) =>
            [0.2, 0.5, 0.8].map((down) => [left + across * width, top + down * height]));
        // The corners of a place on the map are outside of its drawing, and ships lie on a cell.
        const isDrawn = element instanceof SVGElement;
        return points.map(([x, y]) => document.elementFromPoint(x, y))
            .filter((hit) => !element.contains(hit) && !(isDrawn && hit?.closest("svg")))
            .filter((hit) => !isDrawn || hit?.closest("button, p, li"));
    };
    const all = [...document.querySelectorAll(choices)].filter((each) => each.checkVisibility());
    const found = new Set();
    for (const shown of [null, ...all]) {
        shown?.scrollIntoView({ block: "nearest", inline: "nearest" });
        for (const each of all) {
            for (const hit of lies(each)) {
                const name = hit?.id || hit?.className || hit?.tagName;
                found.add(`${name}: ${each.textContent.slice(0, 40)}`);
            }
        }
        if (shown && seen(shown).height < Math.min(20, shown.getBoundingClientRect().height - 1)) {
            found.add(`out of sight: ${shown.textContent.slice(0, 40)}`);
        }
    }
    return [...found];
}"""
CHOICES = "#options button, #hint button, main .legal"


def covered(page):
    """What lies over a choice, at any place that the page can scroll to."""
    return page.evaluate(COVERED, CHOICES)


def small_targets(page):
    return page.evaluate(SMALL_TARGETS, [TARGETS, FINGER])


def fits(page):
    """Whether nothing sticks out at the side; a phone's own `innerWidth` would grow with it."""
    width = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
    return page.evaluate(width) <= page.viewport_size["width"]
