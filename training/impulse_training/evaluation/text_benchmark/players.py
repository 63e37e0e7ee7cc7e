"""Players of the benchmark: a language model behind an address, or an agent."""

import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException
from typing import Any, Final, Protocol

import numpy as np

from impulse_agents import registry
from impulse_agents.asking.ask import ask_in_game
from impulse_agents.base import Agent
from impulse_agents.checkpoints import trained_for
from impulse_agents.tasks.episode import Episode
from impulse_env.errors import ImpulseError
from impulse_env.records.record import options_of

TABLE: Final = "{}"
"""In an agent's name, the place of the released checkpoint of the task's table."""
_LONGEST_ANSWER: Final = 4 << 20
"""Bytes of an answer that are read."""
_BUSY: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed later."""


_SHOWN: Final = 200
"""Most characters of an answer that an error shows."""


class ModelError(ImpulseError, RuntimeError):
    """A model cannot be asked; the message says why."""


@dataclass
class Cost:
    """The use of a model.

    Attributes:
        requests: Number of answered requests.
        prompt_tokens: Tokens of the prompts, as the server counts them.
        completion_tokens: Tokens of the replies.
    """

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Player(Protocol):
    """Plays an episode to its end."""

    def play(self, episode: Episode) -> Cost:
        """Play; raises `ModelError` or `AgentError` if that is impossible."""


@dataclass(frozen=True)
class AgentPlayer:
    """An agent, which acts without text.

    Attributes:
        name: The agent's name; `TABLE` in it stands for the table's released checkpoint.
    """

    name: str

    def play(self, episode: Episode) -> Cost:
        """See `Player`."""
        game = episode.game
        options = options_of(game)
        trained = trained_for(options.players, options.team_size) or ""
        agent = _made(self.name.replace(TABLE, trained))
        agent.check_players(game.players)
        rng = np.random.default_rng((episode.task.seed, 1))
        while episode.seat is not None:
            episode.take(ask_in_game(agent, game, rng))
        return Cost()


@cache
def _made(name: str) -> Agent:
    """Return an agent; it has no memory, so that all tasks can share it."""
    return registry.make(name)


@dataclass(frozen=True)
class ModelPlayer:
    """A language model behind an OpenAI-compatible address.

    Attributes:
        base_url: The address, to which ``/chat/completions`` is added.
        model: The model's name.
        key: The key that is sent; empty for none.
        temperature: The sampling temperature.
        max_tokens: Most tokens of a reply.
        history: Number of earlier replies, each with its prompt, that a request repeats.
        timeout: Seconds that a request may take.
        tries: Number of times that a request is sent before the model counts as failed.
    """

    base_url: str
    model: str
    key: str = ""
    temperature: float = 0.0
    max_tokens: int = 1024
    history: int = 2
    timeout: float = 120.0
    tries: int = 5

    def play(self, episode: Episode) -> Cost:
        """See `Player`."""
        cost = Cost()
        system = {"role": "system", "content": episode.instructions()}
        past: list[dict[str, str]] = []
        while episode.seat is not None:
            prompt = {"role": "user", "content": episode.prompt()}
            kept = past[-2 * self.history :] if self.history else []
            reply = self._ask([system, *kept, prompt], cost)
            past += [prompt, {"role": "assistant", "content": reply}]
            episode.reply(reply)
        return cost

    def _ask(self, messages: list[dict[str, str]], cost: Cost) -> str:
        """Return the model's reply; raises `ModelError`."""
        body = {
            "model": self.model,
            "messages": messages,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        answer = self._post(body)
        try:
            reply = answer["choices"][0]["message"]["content"]
            usage = answer.get("usage") or {}
            cost.requests += 1
            cost.prompt_tokens += int(usage.get("prompt_tokens") or 0)
            cost.completion_tokens += int(usage.get("completion_tokens") or 0)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            start = json.dumps(answer)[:_SHOWN]
            raise ModelError(f"{self.base_url} answered without a message: {start}") from error
        return reply if isinstance(reply, str) else ""

    def _post(self, body: dict[str, Any]) -> Any:
        """Return the JSON of an answer, after a few tries."""
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        url = f"{self.base_url.rstrip('/')}/chat/completions"
        fault = ""
        for attempt in range(self.tries):
            if attempt:
                time.sleep(min(2.0 ** (attempt - 1), 30.0))
            try:
                request = urllib.request.Request(url, json.dumps(body).encode(), headers)
                with urllib.request.urlopen(request, timeout=self.timeout) as response:
                    answer = response.read(_LONGEST_ANSWER)
            except urllib.error.HTTPError as error:
                fault = f"it answered {error.code} {error.reason}{_said(error)}"
                if error.code not in _BUSY:
                    break
            except (OSError, ValueError, HTTPException) as error:
                fault = str(getattr(error, "reason", error)) or type(error).__name__
            else:
                try:
                    return json.loads(answer)
                except (ValueError, RecursionError):
                    fault = f"its answer is not JSON{_start(answer)}"
        raise ModelError(f"{url} cannot be asked: {fault}")


def _said(error: urllib.error.HTTPError) -> str:
    """Return what a server said about a fault."""
    try:
        return _start(error.read(_LONGEST_ANSWER))
    except (OSError, HTTPException):
        return ""


def _start(answer: bytes) -> str:
    """Return the start of an answer on one line, after a colon; empty without any text."""
    text = " ".join(answer.decode(errors="replace").split())[:_SHOWN]
    shown = "".join(sign if sign.isprintable() else "?" for sign in text)
    return f": {shown}" if shown else ""
