"""Where a page cannot go on, it says why in one sentence and offers a way on."""

import pytest

from impulse_table.web import pages
from serving import serving


async def asked(browser, path):
    async with browser.session.get(browser.base + path) as answer:
        return answer.status, answer.content_type, await answer.text()


@pytest.mark.parametrize("path", ["/tables", "/table", "/table/a/b", "/index.html"])
async def test_an_address_that_leads_nowhere_has_a_page_with_a_way_on(path, browser):
    status, kind, text = await asked(browser, path)
    assert (status, kind) == (404, "text/html")
    assert '<a href="/" class="way">' in text


@pytest.mark.parametrize("path", ["/api/tables/none", "/api/x", "/static/x.js"])
async def test_a_program_is_answered_without_a_page(path, browser):
    status, kind, _ = await asked(browser, path)
    assert status == 404
    assert kind != "text/html"


async def test_a_page_differs_from_those_of_another_version(workers, tmp_path, monkeypatch):
    async with serving(tmp_path, workers) as browser:
        _, _, module = await asked(browser, "/version.js")
        _, _, answer = await asked(browser, "/api/version")
        assert module == f'export const VERSION = "{pages.version()}";\n'
        assert answer == f'{{"version": "{pages.version()}"}}'
    before = pages.version()
    (tmp_path / "table.js").write_text("// another")
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    pages.version.cache_clear()
    assert pages.version() != before
    pages.version.cache_clear()


async def test_who_has_a_wrong_link_may_watch_and_who_asks_for_no_table_may_not(browser):
    name, _ = await browser.new("person", "random")
    async with browser.page(name, "x" * 22) as page:
        last = await page.until(lambda message: message["type"] == "end")
        assert "open no seat" in last["message"]
        assert last["watch"]
    async with browser.page("nowhere") as page:
        last = await page.until(lambda message: message["type"] == "end")
        assert "there is no such table" in last["message"]
        assert not last["watch"]
