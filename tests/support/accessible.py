"""The accessibility faults that axe-core finds on a page in Chromium."""

OPTIONS = {
    "resultTypes": ["violations"],
    "rules": {"label-content-name-mismatch": {"enabled": True}},
}


def faults(page):
    """Return a line for each fault: the rule, and the first element that breaks it."""
    from axe_playwright_python.sync_playwright import Axe

    told = Axe().run(page, options=OPTIONS).response["violations"]
    return [f"{fault['id']}: {fault['nodes'][0]['html'][:160]}" for fault in told]
