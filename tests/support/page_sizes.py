"""Whether a page in Chromium fits its screen, and can be touched."""

FINGER = 44
TARGETS = "button, select, input, summary, #tile-hand [data-face]"
SMALL_TARGETS = """([targets, least]) => [...document.querySelectorAll(targets)]
    .filter((each) => each.checkVisibility({visibilityProperty: true}))
    .map((each) => [each.id || each.textContent, each.getBoundingClientRect()])
    .filter(([, box]) => box.width < least || box.height < least)
    .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""


def small_targets(page):
    return page.evaluate(SMALL_TARGETS, [TARGETS, FINGER])


def fits(page):
    """Whether nothing sticks out at the side; a phone's own `innerWidth` would grow with it."""
    return page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
