"""A page as one file: the kit's modules are one script in it, and its policy names that script."""

import base64
import hashlib
import re

import pytest

from impulse_env.pages.single_file import KIT, single_file


@pytest.fixture(scope="module")
def page():
    return single_file("impulse_env.replay", "page", ("store.js",), {"a": 1})


@pytest.fixture(scope="module")
def script(page):
    return page.split('<script type="module">')[1].split("</script>")[0]


def test_what_modules_export_is_there_and_no_module_is_asked_for(script):
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    exported = {
        name
        for module in KIT.glob("*.js")
        for name in re.findall(r"^export (?:async )?\w+ (\w+)", module.read_text(), re.MULTILINE)
    }
    assert {"make", "Board", "Presses", "openPage", "wilson"} <= exported
    assert all(re.search(rf"\b(const|function|class) {name}\b", script) for name in exported)


def test_the_policy_lets_that_script_run_and_no_server_be_asked(page, script):
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page
    assert "connect-src" not in page
    asking = single_file("impulse_env.replay", "page", (), {}, asks_server=True)
    assert "connect-src 'self'" in asking
