"""A server on a home network: a link lets one browser in, once; and nobody may ask too much."""

import asyncio
import ssl
import stat

import aiohttp
import pytest
from aiohttp import WSServerHandshakeError, web
from aiohttp.test_utils import TestClient, TestServer

from commands import run_impulse
from impulse_table.web import command
from impulse_table.web.invitations import InvitationError, Invitations
from impulse_table.web.listening import ServerArgs, ServerError, Site, site_of
from impulse_table.web.rate_limits import Buckets, RateLimits
from impulse_table.web.request_guard import Guard
from serving import serving

SHARED = Site("192.168.1.7", names=("127.0.0.1",))
"""A shared server's rules; the tests reach it on this machine."""


@pytest.fixture
def site():
    return SHARED


async def post(browser, path, body):
    async with browser.session.post(
        browser.base + path, json=body, headers=browser.headers
    ) as answer:
        return answer.status, await answer.json(), answer.cookies


async def come_in(browser):
    """Use a fresh link; the browser keeps what it is given."""
    token = browser.tables.invitations.new()
    status, answer, cookies = await post(browser, "/api/invitations/use", {"token": token})
    assert (status, answer) == (200, {"to": "/"})
    keep(browser, cookies)
    return token, cookies


def keep(browser, cookies):
    kept = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
    browser.headers = {**browser.headers, "Cookie": kept}


# --- Links --------------------------------------------------------------------------------------


async def test_a_browser_that_was_not_let_in_gets_one_sentence_and_nothing_else(browser):
    for path in ("/", "/table/x", "/api/setup", "/api/cards", "/api/tables/x"):
        status, text, _ = await browser.get(path)
        assert status == 403
        assert "has not been let in: open a link" in text
    status, text, headers = await browser.get("/", Accept="text/html,*/*")
    assert (status, headers["Content-Type"]) == (403, "text/html; charset=utf-8")
    assert "Your link" in text
    status, answer = await browser.post({"seats": ["person", "random"]})
    assert status == 403
    assert "has not been let in" in answer["message"]
    with pytest.raises(WSServerHandshakeError) as refused:
        async with browser.page("x"):
            pass
    assert refused.value.status == 403
    for path in ("/invite", "/static/invite.js", "/kit/theme.js"):
        assert (await browser.get(path))[0] == 200


async def test_a_link_lets_one_browser_in_and_tells_the_next_how_to_get_another(browser):
    token, cookies = await come_in(browser)
    (cookie,) = cookies.values()
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    name, tokens = await browser.new("person", "random", start_player=0)
    async with browser.page(name, tokens[0]) as page:
        assert (await page.turn_of(0))["here"] == [0]
    status, answer, cookies = await post(browser, "/api/invitations/use", {"token": token})
    assert (status, len(cookies)) == (410, 0)
    assert answer["message"].startswith("This link has been used already, and works once: ask")
    status, answer, _ = await post(browser, "/api/invitations/use", {"token": "guess"})
    assert (status, "is no longer valid" in answer["message"]) == (410, True)


async def test_a_browser_that_was_let_in_is_known_after_a_restart(workers, tmp_path, site):
    async with serving(tmp_path, workers, site) as browser:
        _, cookies = await come_in(browser)
    (morsel,) = cookies.values()
    async with serving(tmp_path, workers, site) as browser:
        port = browser.host.split(":")[1]
        browser.headers["Cookie"] = f"impulse-{port}={morsel.value}"
        status, _ = await browser.post({"seats": ["person", "random"]})
        assert status == 201
    file = tmp_path / "browsers"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert morsel.value not in file.read_text()


async def test_who_is_in_invites_others_to_a_page_of_this_server_only(browser):
    status, _, _ = await post(browser, "/api/invitations", {"to": "/"})
    assert status == 403
    await come_in(browser)
    status, answer, _ = await post(browser, "/api/invitations", {"to": "/table/abc#tok-en"})
    assert status == 201
    assert answer["picture"].startswith("data:image/svg+xml")
    link, token = answer["link"].split("#")
    assert link == f"{browser.base}/invite"
    assert (await post(browser, "/api/invitations/use", {"token": token}))[1] == {
        "to": "/table/abc#tok-en"
    }
    for to in ("//elsewhere.example", "https://elsewhere.example", "/api/setup", "/table/../x"):
        status, answer, _ = await post(browser, "/api/invitations", {"to": to})
        assert (status, "to must be" in answer["message"]) == (400, True)


def test_the_oldest_of_many_links_ends_and_those_that_were_used_are_forgotten(tmp_path):
    invitations = Invitations(tmp_path / "browsers")
    first = invitations.new()
    for _ in range(200):
        last = invitations.new()
    with pytest.raises(InvitationError, match="is no longer valid"):
        invitations.use(first)
    secret, _ = invitations.use(last)
    assert Invitations(tmp_path / "browsers").knows(secret)
    assert not invitations.knows("")


def test_the_terminal_shows_two_links_and_a_code(tmp_path, capsys):
    invitations = Invitations(tmp_path / "browsers")
    own = command._invite(invitations, "http://192.168.1.7:8765")
    shown = capsys.readouterr().out
    assert own in shown
    assert shown.count("http://192.168.1.7:8765/invite#") == 2
    assert "▄" in shown
    invitations.use(own.split("#")[1])


# --- Names --------------------------------------------------------------------------------------


async def test_on_a_home_network_no_other_name_is_answered_to(browser):
    port = browser.host.split(":")[1]
    for host in (f"localhost:{port}", f"192.168.1.7:{port}", "127.0.0.1", "home.example"):
        status, text, _ = await browser.get("/invite", Host=host)
        assert (status, "its own address only" in text) == (403, True)


@pytest.mark.parametrize(
    ("listen", "origin"),
    [
        ("192.168.1.7", "http://192.168.1.7:8765"),
        ("192.168.1.7:80", "http://192.168.1.7"),
        ("fd00::2", "http://[fd00::2]:8765"),
        ("[fd00::2]:9000", "http://[fd00::2]:9000"),
    ],
)
def test_an_address_is_listened_on_with_its_port_or_the_usual_one(listen, origin):
    site = site_of(ServerArgs(listen=listen))
    assert (site.origin, site.is_shared) == (origin, True)


def test_without_an_address_it_is_this_machine_alone():
    site = site_of(ServerArgs())
    assert (site.host, site.is_shared, site.scheme) == ("127.0.0.1", False, "http")
    assert site.origins(8765) == ("http://127.0.0.1:8765", "http://localhost:8765")


@pytest.mark.parametrize("listen", ["home", "", "1.2.3", "1.2.3.4:x", "[::1", "0.0.0.0", "::"])
def test_only_single_addresses_are_accepted(listen):
    with pytest.raises(ServerError, match="listen must be"):
        site_of(ServerArgs(listen=listen))


# --- TLS ----------------------------------------------------------------------------------------


async def test_with_a_certificate_the_pages_are_served_by_https_alone(pem):
    site = site_of(ServerArgs(tls_cert=pem[0], tls_key=pem[1]))

    app = web.Application(middlewares=[Guard(site).check])

    async def page(request):
        return web.Response(text=request.scheme)

    app.add_routes([web.get("/", page)])
    server = TestServer(app, host="127.0.0.1", scheme="https")
    await server.start_server(ssl=site.tls)
    trusting = ssl.create_default_context(cafile=str(pem[0]))
    url = f"https://127.0.0.1:{server.port}"
    async with aiohttp.ClientSession() as session:
        for origin, status in ((url, 200), (url.replace("https", "http"), 403)):
            async with session.get(url, headers={"Origin": origin}, ssl=trusting) as answer:
                assert answer.status == status
    await server.close()


def test_an_unusable_certificate_is_reported_at_the_start(pem, tmp_path):
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_text("nonsense")
    for certificate, key in ((nonsense, pem[1]), (pem[0], nonsense), (pem[1], pem[0])):
        with pytest.raises(ServerError, match="are not a certificate with its key"):
            site_of(ServerArgs(tls_cert=certificate, tls_key=key))


# --- Limits -------------------------------------------------------------------------------------


def test_a_budget_fills_up_again_and_each_address_has_its_own():
    now = [0.0]
    buckets = Buckets(2, 3, lambda: now[0])
    assert [buckets.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.wait("b") == 0
    now[0] = 0.5
    assert [buckets.wait("a") for _ in range(2)] == [0, 0.5]
    now[0] = 1000.0
    assert [buckets.wait("a") > 0 for _ in range(4)] == [False, False, False, True]


async def test_too_many_requests_tables_and_pages_are_refused_in_one_sentence():
    limits = RateLimits(Buckets(0.001, 12), Buckets(0.001, 2), sockets=1)
    app = web.Application(middlewares=[limits.limit])

    async def socket(request):
        opened = web.WebSocketResponse()
        await opened.prepare(request)
        await opened.receive()
        return opened

    async def table(request):
        return web.Response(status=201)

    app.add_routes([web.get("/socket", socket), web.post("/api/tables", table)])
    async with TestClient(TestServer(app)) as client:
        assert [(await client.post("/api/tables")).status for _ in range(2)] == [201, 201]
        answer = await client.post("/api/tables")
        assert (answer.status, "Retry-After" in answer.headers) == (429, True)
        assert "too many new tables: try again in" in (await answer.json())["message"]
        async with client.ws_connect("/socket"):
            with pytest.raises(WSServerHandshakeError) as refused:
                await client.ws_connect("/socket")
            assert refused.value.status == 429
        await asyncio.sleep(0.05)
        async with client.ws_connect("/socket"):
            pass
        statuses = [(await client.get("/socket")).status for _ in range(8)]
        assert statuses[-1] == 429


def test_an_address_of_another_machine_is_reported(tmp_path):
    ended = run_impulse(
        "play", "--listen", "192.0.2.200:8765", "--dir", tmp_path / "games", "--no-open"
    )
    assert ended.returncode == 2
    assert "192.0.2.200:8765/ cannot be used" in ended.stderr
    assert "try an address of this machine" in ended.stderr
    assert "Traceback" not in ended.stderr
