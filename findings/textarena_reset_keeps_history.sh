#!/usr/bin/env bash
# Guess: after reset, an observation of LLMObservationWrapper begins with the new game's prompt.
# Behaviour: the wrapper keeps the observations of all earlier games, and puts them first. In a game
# with hidden cards, a prompt then shows hands of another game, and prompts grow without end.
# Version: textarena 0.7.4, Python 3.11.
# Source: textarena/wrappers/ObservationWrappers/llm_observation_wrapper.py: full_observations is
# filled in observation() and emptied nowhere; the wrapper has no reset of its own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3.11}" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check textarena==0.7.4
"$folder/venv/bin/python" -W ignore - <<'END'
import textarena as ta


class Secret(ta.Env):
    """A game whose prompt holds the seed."""

    def reset(self, num_players, seed=None):
        self.state = ta.State(num_players=num_players, seed=seed)
        self.state.standard_resets(
            player_prompt_function=lambda player_id, game_state: f"Your secret is {seed}.",
            role_mapping={0: "Player 0", 1: "Player 1"},
        )

    def step(self, action):
        return self.state.step()


env = ta.wrappers.LLMObservationWrapper(Secret())
prompts = []
for seed in (11, 22):
    env.reset(num_players=2, seed=seed)
    prompts.append(env.get_observation()[1])
    print(repr(prompts[-1]))
assert "22" not in prompts[0]
assert "Your secret is 11." in prompts[1] and "Your secret is 22." in prompts[1]
END
