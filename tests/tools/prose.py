"""Checks that the project's English is plain: banned phrases, long sentences, common mistakes.

    python tests/tools/prose.py [PATH ...]

Reads paragraphs of Markdown, Markdown cells of notebooks, and docstrings, help texts and messages
of Python files. Prints one line per problem, as ``file:line: problem``, and exits with status 1 if
there is one. Grammar is checked by Harper, with the rules in `GRAMMAR`.
"""

import ast
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECKED = (
    "*.md",
    "llms.txt",
    "agents/**/*.py",
    "agents/README.md",
    "agents/recipes/*/README.md",
    "docs/**/*.md",
    "findings/*.md",
    "impulse_env/**/*.py",
    "notebooks/*.ipynb",
    "notebooks/README.md",
    "training/**/*.py",
    "training/README.md",
)
"""What is checked without arguments: patterns of paths below the root."""

LONGEST = 30
"""Words that a sentence may have."""

BANNED = {
    r"of before\b": "write 'previous' or 'earlier'",
    r"(?<!there )(?:is|are|was|were) (?:no (?!longer|more than|less than|fewer than|such\b)|"
    r"(?-i:none)\b)": "write 'is not' or 'has no'",
    r"tells? of\b": "write 'describes'",
    r"told\b": "write 'says', 'reports' or 'describes'",
    r"(?:is|are|was|were|be) kept\b": "name what keeps it, or write 'stays' or 'is stored'",
    r"(?:is|are|was|were|be) wanted\b": "name the goal",
    r"such as (?:is|are|was|were)\b": "name the thing",
    r"anew\b": "write 'again'",
    r"no more(?=[.,;:])": "write 'no longer'",
    r"(?:is|are) said\b": "name who says it",
    r"(?:stands?|standing) (?:in|on|there|beside|behind|above|below|at|under)\b(?! for)": (
        "write 'is in', 'is on', …"
    ),
    r"of record\b": "write 'released'",
    r"what (?:it|they|he|she|one) (?:is|are) worth\b": "write 'its value' or 'its strength'",
    r"(?:who|what|that|which) (?:there )?(?:is|are) (?:none|there)\b": "name the thing",
    r"(?:whereof|thereof|thereby|wherein|therein|herein|hitherto|whence|thence)\b": (
        "write a plain word"
    ),
    r"besides(?! the)\b": "write 'also' or 'in addition'",
    r"as many as (?:one|you) (?:likes?|wants?)\b": "write 'any number'",
    r"(?:goes|go|went|going) on\b": "write 'continues'",
    r"plays? on\b(?! (?:a|an|the|its|your|their|equal))": "write 'continues'",
    r"has to do with\b": "write 'concerns'",
    r"in (?:place|the place) of\b": "write 'instead of'",
    r"some (?:\d|two\b|three\b|six\b|ten\b|fifteen\b|twenty\b|thirty\b)": "write 'about'",
    r"beforehand\b": "write 'before' or 'in advance'",
    r"utili[sz]es?\b": "write 'use'",
    r"(?:simply|obviously|of course|needless to say)\b": "leave it out",
}
"""What no sentence says, as regular expressions from the start of a word, and what to write."""
FIRST_WORDS = {
    "Of": "begin with the subject",
    "What": "say what it is, not 'What …'",
    "Who": "say what it is, not 'Who …'",
}
"""Words that no docstring begins with."""
GRAMMAR = (
    "DidPast",
    "DoubleModal",
    "PronounVerbAgreement",
    "RepeatedWords",
    "ThenThan",
    "ThereIsAgreement",
    "WrongApostrophe",
)
"""The rules of Harper that find mistakes here and report few correct sentences."""

_PASSAGES = 1000
"""Passages in one document for Harper, whose time grows faster than a document."""
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|<https?://[^>]*>|<!--.*?-->", re.DOTALL)
_GENERATED = re.compile(r"^<!-- .*?-->.*?^<!-- end.*?-->", re.MULTILINE | re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”)*_]*\s+(?=[\"'“(*_\[]*[A-Z0-9])|\n\n")
_WORD = re.compile(r"[A-Za-z0-9][^\s()]*")
_ABBREVIATION = re.compile(r"\b(?:p|pp|e\.g|i\.e|vs|cf|etc|Fig|No)\.(?=\s)")
_SECTION = re.compile(r"^\s*(?:Args|Attributes|Raises|Returns|Yields|Example|Examples|Note):\s*$")
_ENTRY = re.compile(r"^\s*\*{0,2}[\w.`|, ]{1,60}: ")
_LISTED = re.compile(r"^\s*[\w.,/|*+`]+(?: [\w.,/|*+`]+)?\s{2,}(?=\S)")
"""A line of a list with two columns: a name, two spaces or more, and what it is."""
_BANNED = [(re.compile(rf"\b{pattern}", re.IGNORECASE), why) for pattern, why in BANNED.items()]


@dataclass(frozen=True)
class Passage:
    """A paragraph, a list item, a table cell or a message.

    Attributes:
        place: ``file`` or ``file: cell N``.
        line: Its first line there, from 1.
        text: What a reader reads, line by line, with `CODE` for code.
        is_docstring: Whether it is the first paragraph of a docstring.
    """

    place: str
    line: int
    text: str
    is_docstring: bool = False


@dataclass(frozen=True, order=True)
class Problem:
    """Something to rewrite."""

    place: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.place}:{self.line}: {self.message}"


def without_code(text: str) -> str:
    """Return a text with its code replaced by the word `CODE`, and links by their words.

    The number of lines stays the same.
    """
    text = _CODE.sub(lambda found: "CODE" + "\n" * found[0].count("\n"), text)
    return _LINK.sub(lambda found: _same_lines(found[1] or "", found[0]), text)


def _same_lines(words: str, replaced: str) -> str:
    return words + "\n" * (replaced.count("\n") - words.count("\n"))


def in_markdown(text: str, place: str, first: int = 1) -> Iterator[Passage]:
    """Yield the passages of a text in Markdown.

    Args:
        text: The text. Fenced blocks, comments, front matter and tables that code
            writes, up to a comment ``end``, are not prose.
        place: What to call it.
        first: The number of its first line.
    """
    text = re.sub(r"\A---\n.*?\n---\n", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    text = _GENERATED.sub(lambda m: "\n" * m[0].count("\n"), text)
    text = re.sub(
        r"^ *(```+|~~~+).*?^ *\1", lambda m: "\n" * m[0].count("\n"), text, flags=re.M | re.S
    )
    begun, lines = first, []
    for number, line in enumerate([*without_code(text).splitlines(), ""], first):
        starts = re.match(r"\s*(?:[-*+]|\d+\.|#+|>|:::|\|)(?:\s|$)", line)
        if lines and (starts or not line.strip() or line.lstrip().startswith("|")):
            yield Passage(place, begun, "\n".join(lines))
            lines = []
        if line.lstrip().startswith("|"):
            # Semicolons divide a cell into items.
            cells = [cell.strip() for cell in re.split(r"\||; ", line.strip().strip("|"))]
            yield from (Passage(place, number, cell) for cell in cells if cell.strip("-: "))
        elif line.strip() and not line.lstrip().startswith(("$ ", ">>>", "    ")):
            begun = begun if lines else number
            lines.append(re.sub(r"^\s*(?:[-*+]|\d+\.|#+|>)\s", "", line))


def in_notebook(text: str, place: str) -> Iterator[Passage]:
    """Yield the passages of a notebook's Markdown cells."""
    for number, cell in enumerate(json.loads(text)["cells"], 1):
        if cell["cell_type"] == "markdown":
            yield from in_markdown("".join(cell["source"]), f"{place}: cell {number}")


def in_python(text: str, place: str) -> Iterator[Passage]:
    """Yield the docstrings of a module, and its messages: other strings of four words or more.

    A help text is the docstring below a field, or such a string.
    """
    tree = ast.parse(text)
    docstrings = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]
    for node in docstrings:
        yield from _in_docstring(str(node.value), place, node.lineno)
    known = {id(node) for node in docstrings}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in known:
            words = node.value.split()
            if len(words) >= 4 and "\n" not in node.value:
                yield Passage(place, node.lineno, without_code(node.value))


def _in_docstring(text: str, place: str, first: int) -> Iterator[Passage]:
    begun, lines, is_first = first, [], True
    indent = 0
    for number, line in enumerate([*without_code(text).splitlines(), ""], first):
        is_listed = bool(_LISTED.match(line))
        is_entry = is_listed or (bool(_ENTRY.match(line)) and len(line) - len(line.lstrip()) > 0)
        if lines and (not line.strip() or is_entry or _SECTION.match(line)):
            yield Passage(place, begun, "\n".join(lines), is_first)
            lines, is_first = [], False
        if not line.strip() or _SECTION.match(line) or line.lstrip().startswith((">>>", "...")):
            continue
        if not lines:
            begun, indent = number, len(line) - len(line.lstrip())
        if is_listed:
            lines.append(_LISTED.sub("", line))
        else:
            lines.append(_ENTRY.sub("", line) if is_entry and indent else line.strip())


def passages(path: Path) -> list[Passage]:
    """Return the passages of a file by its suffix; those of an unknown one as Markdown."""
    place = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()
    read = {".py": in_python, ".ipynb": in_notebook}.get(path.suffix, in_markdown)
    return list(read(path.read_text(encoding="utf-8"), place))


def problems_of_style(passage: Passage) -> Iterator[Problem]:
    """Yield the banned phrases and the long sentences of a passage."""
    for pattern, why in _BANNED:
        for found in pattern.finditer(passage.text.replace("\n", " ")):
            line = passage.line + passage.text[: found.start()].count("\n")
            yield Problem(passage.place, line, f"'{found[0].strip()}': {why}")
    text = _ABBREVIATION.sub(lambda found: found[0][:-1], passage.text)
    words = text.split(maxsplit=1)
    if passage.is_docstring and words and words[0] in FIRST_WORDS:
        message = f"begins with '{words[0]}': {FIRST_WORDS[words[0]]}"
        yield Problem(passage.place, passage.line, message)
    for sentence in _SENTENCE_END.split(text):
        length = len(_WORD.findall(sentence))
        if length > LONGEST:
            begun = passage.line + text[: text.index(sentence)].count("\n")
            start = " ".join(sentence.split()[:6])
            message = f"{length} words in a sentence, at most {LONGEST}: '{start} …'"
            yield Problem(passage.place, begun, message)


def problems_of_grammar(found: list[Passage]) -> list[Problem]:
    """Return what Harper reports, by the rules in `GRAMMAR`."""
    harper = shutil.which("harper", path=Path(sys.executable).parent)
    if harper is None:
        sys.exit("harper is not installed; run `make install`")
    documents = [found[k : k + _PASSAGES] for k in range(0, len(found), _PASSAGES)]
    places: dict[str, list[tuple[str, int]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, passages in enumerate(documents):
            lines: list[str] = []
            file = f"prose{number}.txt"
            places[file] = []
            for passage in passages:
                written = [*passage.text.splitlines(), ""]
                lines += written
                places[file] += [(passage.place, passage.line + k) for k in range(len(written))]
            Path(folder, file).write_text("\n".join(lines), encoding="utf-8")
        command = [harper, "lint", "--quiet", "--format", "json", "--only", ",".join(GRAMMAR)]
        run = subprocess.run(
            [*command, *places], cwd=folder, capture_output=True, encoding="utf-8", check=False
        )
    if not run.stdout.strip():
        sys.exit(f"harper: {run.stderr.strip()}")
    return [
        Problem(
            *places[document["file"]][report["line"] - 1],
            f"'{' '.join(report['matched_text'].split())}': {report['message']}",
        )
        for document in json.loads(run.stdout)
        for report in document["lints"]
    ]


def checked() -> list[Path]:
    """Return the files that are checked without arguments."""
    return sorted({path for pattern in CHECKED for path in ROOT.glob(pattern)})


def main(paths: list[str]) -> int:
    """Print the problems of some files, or of all that are checked; return the exit status."""
    chosen = [Path(path).resolve() for path in paths] or checked()
    found = [passage for path in chosen for passage in passages(path)]
    style = [problem for passage in found for problem in problems_of_style(passage)]
    problems = sorted(set(style + problems_of_grammar(found)))
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
