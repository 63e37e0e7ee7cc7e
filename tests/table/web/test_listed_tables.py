"""The list of a server's tables: only those that their hosts have listed, and nothing hidden."""

import json


async def listed(browser):
    status, text, _ = await browser.get("/api/tables")
    assert status == 200
    return json.loads(text)["tables"], text


async def test_only_listed_tables_are_sent_and_never_a_token(browser):
    private, _ = await browser.new("person", "random")
    name, tokens = await browser.new("person", "person", "greedy", listed=True)
    rows, text = await listed(browser)
    assert rows == [
        {
            "name": name,
            "players": ["person", "person", "greedy"],
            "seats": 2,
            "taken": 0,
            "over": False,
        }
    ]
    assert private not in text
    async with browser.page(name, tokens[0]) as page, browser.page(name) as watcher:
        await watcher.state()
        await page.say({"type": "name", "seat": 0, "name": "Ada"})
        await page.state(lambda state: state["seats"][0]["name"] == "Ada")
        ((row,), text) = await listed(browser)
        assert (row["players"], row["taken"]) == (["Ada", "person", "greedy"], 1)
    host = (await browser.room(name)).table.saved.host
    assert not any(secret in text for secret in (*tokens.values(), host))


async def test_a_finished_game_is_listed_as_over_and_a_damaged_file_is_passed_over(
    browser, tmp_path
):
    (tmp_path / "broken.json").write_text("{")
    name, tokens = await browser.new("person", "person", listed=True, target_score=1)
    table = (await browser.room(name)).table
    async with browser.page(name, *tokens.values()) as page:
        while not table.game.is_over:
            table.act(table.game.name(table.game.legal_actions()[-1]))
        browser.tables.store.keep(table)
        await page.state()
        (row,), _ = await listed(browser)
        assert (row["over"], row["taken"]) == (True, 2)
