"""What a checkpoint says of itself, as checked data: names, types and ranges of its fields.

    format       2
    players      2 to 6
    layout       sections of the observation and number of actions, as they are here
    network      see `impulse_agents.network.build`
    trained      options of the training; `reward` and the teams are looked at
    training     what was done, for the model card
    recipe       the leg of a recipe that made it
    calibration  coefficients, and the weights that they hold for
    search_calibration
                 the same for a search that the network guides
    luck         factors of the luck that the network sees, and the weights that they hold for

The first four must be there. Others may be, whose content is nobody's business here.
"""

import json
import re
import reprlib
from collections.abc import Callable
from functools import partial
from math import isfinite
from typing import Any, Final, TypeGuard

from impulse_agents.network.kinds import DEFAULT, KINDS, MOST_LAYERS, WIDEST
from impulse_env.actions import N_ACTIONS
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.environments.rewards import REWARDS
from impulse_env.errors import ImpulseError, did_you_mean
from impulse_env.observation import sections, size

FORMAT: Final = 2
_DEEPEST: Final = 200
"""Of lists and dictionaries in one another; each warm start adds one to the story of a training."""
_LARGEST: Final = 1e6
"""Of a calibration's coefficients: odds of e to the millionth are none."""
_NEEDED: Final = ("format", "players", "layout", "network")
_COEFFICIENTS: Final = {"slope": 0.0, "cubic": 0.0, "progress": -_LARGEST, "bias": -_LARGEST}
"""The least of each, see `impulse_agents.calibration`."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_LONGEST_NAME: Final = 4096


class FieldError(ImpulseError, ValueError):
    """A field is not what it may be; the message begins with it, and lacks the file's name."""


def read_config(text: Any) -> dict[str, Any]:
    """Return the config of a checkpoint, with the kind of its network if that was left out.

    Raises:
        FieldError: A field is missing, or is not what it may be.
    """
    if not isinstance(text, str):
        raise FieldError(_must_be("config", "a text in JSON", text))
    try:
        config = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FieldError(f"config is no JSON: {error}") from error
    _check("config", config, "an object", isinstance(config, dict))
    for name in _NEEDED:
        if name not in config:
            raise FieldError(f"config has no {name}")
    if _is_whole(config["format"]) and config["format"] != FORMAT:
        raise FieldError(f"format {config['format']} is not {FORMAT}")
    _check("format", config["format"], str(FORMAT), _is_whole(config["format"]))
    _check_depth(config)
    _whole("players", config["players"], MIN_PLAYERS, MAX_PLAYERS)
    if config["layout"] != observation_layout(config["players"]):
        raise FieldError(
            "layout is not the one here: it was trained on another version of the observation or "
            "of the actions"
        )
    config["network"] = _network(config["network"])
    config["layout"] = observation_layout(config["players"])  # equal, and of the right types
    _training(config.get("training"))
    for name, check in _OPTIONAL.items():
        if config.get(name) is not None:
            _check(name, config[name], "an object", isinstance(config[name], dict))
            check(config[name])
    return config


def observation_layout(players: int) -> dict[str, Any]:
    """Return what a checkpoint must agree with to be of use."""
    return {
        "observation": size(players),
        "sections": [[s.name, s.start, s.stop] for s in sections(players)],
        "actions": N_ACTIONS,
    }


# --- Fields ---------------------------------------------------------------------------------------


def _network(said: Any) -> dict[str, Any]:
    _check("network", said, "an object", isinstance(said, dict))
    kind = said.get("kind", DEFAULT)
    is_name = isinstance(kind, str) and 0 < len(kind) <= _LONGEST_NAME
    _check("network.kind", kind, "the name of a network", is_name)
    if kind not in KINDS:
        _check_names("network", said, ("kind", "arguments"))
        arguments = said.get("arguments", {})
        _check("network.arguments", arguments, "an object", isinstance(arguments, dict))
        return {**said, "kind": kind}
    sizes = ("width", "policy", "value", "card_dim")
    _check_names("network", said, ("kind", *sizes))
    for name in sizes:
        if name not in said:
            raise FieldError(f"network has no {name}")
    for name in ("width", "card_dim"):
        _whole(f"network.{name}", said[name], 1, WIDEST)
    for name in ("policy", "value"):
        layers = said[name]
        is_few = isinstance(layers, list) and len(layers) <= MOST_LAYERS
        _check(f"network.{name}", layers, f"a list of {MOST_LAYERS} widths at most", is_few)
        for number, width in enumerate(layers):
            _whole(f"network.{name}[{number}]", width, 1, WIDEST)
    return {**said, "kind": kind}


def _trained(said: dict[str, Any]) -> None:
    reward = said.get("reward")
    _check("trained.reward", reward, f"one of {', '.join(REWARDS)}", reward in (None, *REWARDS))
    for name in ("team_size", "teams"):
        if said.get(name) is not None:
            _whole(f"trained.{name}", said[name], 1, MAX_PLAYERS)


def _training(said: Any) -> None:
    """Check what is read of it; else it may be told in any way, as the card says it."""
    recipe = said.get("recipe") if isinstance(said, dict) else None
    _check("training.recipe", recipe, "a text", recipe is None or isinstance(recipe, str))


def _recipe(said: dict[str, Any]) -> None:
    for name in ("leg", "digest"):
        found = said.get(name)
        _check(f"recipe.{name}", found, "a text", found is None or isinstance(found, str))


def _luck(said: dict[str, Any]) -> None:
    _weights_that_it_holds_for("luck", said)
    for name, factor in said.items():
        if name != "weights":
            is_in_range = _is_number(factor) and 0 <= factor <= _LARGEST
            _check(f"luck.{name}", factor, f"a number from 0 to {_LARGEST:g}", is_in_range)


def _calibration(said: dict[str, Any], of: str = "calibration") -> None:
    _weights_that_it_holds_for(of, said)
    for name, least in _COEFFICIENTS.items():
        if name in said:
            is_in_range = _is_number(said[name]) and least <= said[name] <= _LARGEST
            allowed = f"a number from {least:g} to {_LARGEST:g}"
            _check(f"{of}.{name}", said[name], allowed, is_in_range)
    if said.get("error") is not None:
        is_share = _is_number(said["error"]) and 0 <= said["error"] <= 1
        _check(f"{of}.error", said["error"], "a number from 0 to 1", is_share)
    report = said.get("report", {})
    _check(f"{of}.report", report, "an object", isinstance(report, dict))


_OPTIONAL: Final[dict[str, Callable[[dict[str, Any]], None]]] = {
    "trained": _trained,
    "recipe": _recipe,
    "calibration": _calibration,
    "search_calibration": partial(_calibration, of="search_calibration"),
    "luck": _luck,
}


def _weights_that_it_holds_for(of: str, said: dict[str, Any]) -> None:
    weights = said.get("weights")
    is_digest = isinstance(weights, str) and _DIGEST.fullmatch(weights) is not None
    _check(f"{of}.weights", weights, "a SHA-256 in hexadecimal", is_digest)


# --- Values ---------------------------------------------------------------------------------------


def _is_whole(said: Any) -> TypeGuard[int]:
    return isinstance(said, int) and not isinstance(said, bool)


def _is_number(said: Any) -> TypeGuard[float]:
    return _is_whole(said) or (isinstance(said, float) and isfinite(said))


def _whole(field: str, said: Any, least: int, most: int) -> None:
    is_in_range = _is_whole(said) and least <= said <= most
    _check(field, said, f"a whole number from {least:,} to {most:,}", is_in_range)


def _check(field: str, said: Any, allowed: str, holds: bool) -> None:
    if not holds:
        raise FieldError(_must_be(field, allowed, said))


def _must_be(field: str, allowed: str, said: Any) -> str:
    return f"{field} must be {allowed}, not {reprlib.repr(said)}"


def _check_names(field: str, said: dict[str, Any], known: tuple[str, ...]) -> None:
    for name in said:
        if name not in known:
            raise FieldError(
                f"{field} has a field {reprlib.repr(name)} that is not known"
                f"{did_you_mean(name, known)} (there are {', '.join(known)})"
            )


def _check_depth(config: Any) -> None:
    """Refuse what is nested so deeply that it could be read but not be written again."""
    level: list[Any] = [config]
    for _ in range(_DEEPEST):
        inner = [one.values() if isinstance(one, dict) else one for one in level]
        level = [one for part in inner for one in part if isinstance(one, dict | list)]
        if not level:
            return
    raise FieldError(f"config has more than {_DEEPEST} objects in one another")
