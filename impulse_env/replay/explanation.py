"""Why a decision was costly, in one sentence; in English, French, Spanish and Chinese.

A cause names a part of the position. It is printed only if that part alone, replaced by that after
the better choice, restores at least half the loss. The search for causes is in
`impulse_agents.advice.explanations`. The sentences name nothing that is hidden from a seat.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal

LANGUAGES: Final = ("en", "fr", "es", "zh")
"""Languages of the sentences: English, French, Spanish, Chinese (traditional)."""
Moment = Literal["effect", "turn"]
"""The moment of a change: once the choice has had its effect, or at the end of its turn."""
EFFECT: Final = "effect"
TURN: Final = "turn"
MOMENTS: Final[tuple[Moment, ...]] = (EFFECT, TURN)
_CHECK: Final = ("part", "whole", *MOMENTS)
"""Names of sentences that are not causes."""


@dataclass(frozen=True)
class Explanation:
    """The cause of a loss.

    Attributes:
        cause: Its name, of `causes`.
        moment: When the position was changed.
        share: The share of the loss that undoing it restores, mostly 0.5 to 1.5.
        error: The standard error of the share.
    """

    cause: str
    moment: Moment
    share: float
    error: float

    def sentences(self, language: str = "en") -> tuple[str, str]:
        """Return the cause in a sentence, and in another one how it was checked.

        Args:
            language: One of `LANGUAGES`.

        Raises:
            ValueError: There are no sentences in this language.
        """
        if language not in LANGUAGES:
            raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, not {language!r}")
        said = {name: sentences[language] for name, sentences in _sentences().items()}
        gone = said["whole" if self.share >= 1 else "part"].format(
            share=round(100 * self.share), error=round(200 * self.error)
        )
        return said[self.cause], said[self.moment].format(gone=gone)


def causes() -> tuple[str, ...]:
    """Return the names of all causes."""
    return tuple(name for name in _sentences() if name not in _CHECK)


@cache
def _sentences() -> dict[str, dict[str, str]]:
    text = files("impulse_env.replay").joinpath("explanations.json").read_text(encoding="utf-8")
    sentences: dict[str, dict[str, str]] = json.loads(text)
    return sentences
