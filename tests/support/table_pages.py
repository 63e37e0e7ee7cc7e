"""The pages of the table in a real Chromium, as people would use them.

Pictures of the pages go to runs/browser, for a person to look at.
"""

import signal
import socket
import subprocess

from commands import PROGRAM
from paths import ROOT

PICTURES = ROOT / "runs" / "browser"
SECONDS = 1000
WAIT = 180 * SECONDS
READY = "#options button, #record-button[aria-disabled=false]"


class Served:
    """The server as people start it, in a process of its own; it can be stopped and started."""

    def __init__(self, folder, timeout=120, listen=None, pem=None):
        self.folder = folder
        host = listen or "127.0.0.1"
        with socket.socket() as free:
            free.bind((host, 0))
            self.port = free.getsockname()[1]
        self.options = ["--dir", str(folder), "--time-limit", str(timeout), "--no-open"]
        if listen is not None:
            self.options += ["--listen", listen]
        if pem is not None:
            self.options += ["--tls-cert", str(pem[0]), "--tls-key", str(pem[1])]
        self.address = f"{'http' if pem is None else 'https'}://{host}:{self.port}/"
        self.start()

    def start(self):
        command = [*PROGRAM, "play", "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        last = "More links" if "--listen" in self.options else self.address
        self.lines = []
        while not self.lines or last not in self.lines[-1]:
            self.lines.append(self.process.stdout.readline())
            assert self.lines[-1], "the server has stopped"

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(30) == 0
        self.process.stdout.close()


def expect(found):
    """Return playwright's expectations of a page or a part of one."""
    from playwright.sync_api import expect

    return expect(found)


def picture(page, name):
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")


def begin(page, *seats, seed=7, target=20, start="0"):
    """Fill in the form for a new game, and start it."""
    page.click("#custom > summary")
    page.select_option("#players", str(len(seats)))
    for seat, who in enumerate(seats):
        page.select_option(f"#seat-{seat}", who)
    page.click("#rule-options > summary")
    page.select_option("#start", start)
    page.fill("#target", str(target))
    page.fill("#seed", str(seed))
    page.click("#start-game")
    page.wait_for_url("**/table/**")
    page.wait_for_selector("#tile-map [data-action='cell 10']")
    set_pace(page, "0")


def set_pace(page, pace):
    """Choose the pace of the agents, which may be in the menu."""
    menu = page.locator("#menu-button")
    is_folded = menu.is_visible()
    if is_folded:
        menu.click()
    page.select_option("#pace", pace)
    if is_folded:
        menu.click()


NOT_DOUBLE = 550
"""Milliseconds after which a second press is not part of a double press."""


def step_of(page):
    return page.locator("#entries li[data-step]").count()


def wait_for_step(page, step):
    page.wait_for_function(
        "step => document.querySelectorAll('#entries li[data-step]').length > step", arg=step
    )


def is_over(page):
    return page.get_attribute("#record-button", "aria-disabled") == "false"


def choose(page, number):
    """Take one of the choices: on the board if it is there, else its sentence."""
    step = step_of(page)
    marked = page.locator("main .legal")
    if number % 3 and marked.count():
        # The middle of a cell may lie below a fleet, that of a gate never.
        marked.nth(number % marked.count()).dispatch_event("click")
    else:
        buttons = page.locator("#options button")
        page.wait_for_timeout(NOT_DOUBLE)
        buttons.nth(number % buttons.count()).click()
    wait_for_step(page, step)
