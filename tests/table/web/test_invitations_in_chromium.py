"""The first page of a server on a home network, and its links, in a browser."""

import socket

import pytest

from accessible import faults
from table_pages import Served, begin, expect, picture

pytestmark = pytest.mark.browser


def own_address():
    """An address of this machine that others could reach; None if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
        except OSError:
            return None
        return probe.getsockname()[0]


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    address = own_address()
    if address is None or address.startswith("127."):
        pytest.skip("this machine is on no network")
    served = Served(tmp_path_factory.mktemp("shared"), listen=address)
    yield served
    served.stop()


def slowly(route):
    """Let an answer come after the first state of the table."""
    route.request.frame.page.wait_for_timeout(1000)
    route.continue_()


def test_a_guest_comes_in_by_a_link_of_the_start_page_and_sits_down_by_one_of_the_table(
    shared, visit
):
    links = [line.split()[-1] for line in shared.lines if "/invite#" in line]
    assert len(links) == 2
    host = visit(links[0])
    expect(host.locator("#invite")).to_be_visible()
    host.get_by_role("button", name="Make a link").click()
    expect(host.locator("#invite .qr")).to_be_visible()
    assert faults(host) == []
    picture(host, "invite")
    host.set_viewport_size({"width": 390, "height": 844})
    host.locator("#invite .qr").scroll_into_view_if_needed()
    picture(host, "invite-phone")
    host.set_viewport_size({"width": 1366, "height": 768})
    link = host.locator("#invite input").input_value()

    guest = visit(link.split("/invite")[0])
    expect(guest.get_by_role("heading", name="Not let in yet")).to_be_visible()
    assert faults(guest) == []
    picture(guest, "stranger")
    guest.get_by_label("Your link").fill("http://elsewhere.example/invite#x")
    guest.get_by_role("button", name="Come in").click()
    expect(guest.get_by_role("status")).to_contain_text("begins with " + link.split("#")[0])
    guest.get_by_label("Your link").fill(link)
    guest.get_by_role("button", name="Come in").click()
    expect(guest.locator("#play-now")).to_be_visible()
    late = visit(links[1].split("#")[0] + "#" + link.split("#")[1])
    expect(late.locator("#invited")).to_contain_text("has been used already, and works once")
    assert faults(late) == []
    picture(late, "invite-used")

    # Whatever comes first, the seats or what the server says of itself.
    host.route("**/api/setup", slowly)
    begin(host, "here", "elsewhere")
    host.get_by_role("button", name="machine: Link of seat").click()
    expect(host.locator("#seat-list .qr")).to_be_visible()
    assert host.locator("#reach").is_hidden()
    host.get_by_role("button", name="machine: Link to watch").click()
    expect(host.locator("#watching .qr")).to_be_visible()
    assert faults(host) == []
    picture(host, "invite-seat")
    seat = visit(host.locator("#seat-list .invitation input").input_value())
    expect(seat.locator("#hand")).to_be_visible()
    expect(host.locator("#people")).to_be_hidden()
