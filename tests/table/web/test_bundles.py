"""The scripts of a page in one file: each module once, after those that it imports."""

import pytest

from impulse_table.web import bundles, pages


@pytest.fixture
def modules(tmp_path, monkeypatch):
    """Writes the modules of the pages."""
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    bundles.script.cache_clear()

    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.js").write_text(text)

    yield write
    bundles.script.cache_clear()


@pytest.mark.parametrize(
    "name", ["table", "lobby", "analysis", "mistakes", "practice", "invite", "forbidden"]
)
def test_a_bundle_has_every_module_once_and_imports_nothing(name):
    text = bundles.script(name)
    assert "import {" not in text
    assert "\nexport " not in text
    names = [line.split()[1] for line in text.splitlines() if line.startswith("const module_")]
    assert len(names) == len(set(names))
    assert names[-1] == f"module_static_{name}_js"


def test_a_module_comes_after_those_that_it_imports(modules):
    modules(
        one='import { two } from "./two.js";\nexport const one = two();\n',
        two="export function two() {}\nexport class Two {}\n",
    )
    text = bundles.script("one")
    assert text.index("module_static_two_js = ") < text.index("module_static_one_js = ")
    assert "const { two } = module_static_two_js;" in text
    assert "return { two, Two };" in text


def test_modules_that_cannot_be_bundled_are_told(modules):
    modules(
        one='import { two } from "./two.js";\n',
        two='import { one } from "./one.js";\n',
        all='import * as two from "./two.js";\n',
    )
    with pytest.raises(bundles.BundleError, match="imports itself"):
        bundles.script("one")
    with pytest.raises(bundles.BundleError, match="import or export"):
        bundles.script("all")


async def test_bundles_are_stored_by_browsers_and_pages_are_not(browser):
    status, text, headers = await browser.get("/table/x")
    assert (status, headers["Cache-Control"]) == (200, "no-store")
    assert text.count("stylesheet") == 1
    for kind in ("js", "css"):
        path = f"/static/{pages.version()}/table.{kind}"
        assert path in text
        status, bundle, headers = await browser.get(path)
        assert status == 200
        assert len(bundle) > 10_000
        assert "immutable" in headers["Cache-Control"]
        assert headers["Content-Encoding"] in ("gzip", "deflate")
    assert "no-store" in (await browser.get(f"/static/{'0' * 12}/table.js"))[2]["Cache-Control"]
    assert (await browser.get(f"/static/{pages.version()}/nothing.js"))[0] == 404
