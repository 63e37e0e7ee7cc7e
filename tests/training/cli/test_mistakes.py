"""Whatever is typed wrong is told in one sentence that says what would be right."""

import pytest

from commands import impulse, refusal, run_impulse
from impulse_training.cli.framework.tree import COMMANDS
from recorded import TABLES, played

OTHERS = {
    "t1/settings.json": b"{}",
    "t1/games.jsonl": b"{}\n",
    "demo/policy.safetensors": b"\xff",
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where it is typed: a folder with a record, a tournament and a training by their names."""
    monkeypatch.chdir(tmp_path)
    played(TABLES[8])[0].save(tmp_path / "game.jsonl")
    (tmp_path / "odd.bin").write_bytes(b"\x7fELF\xff\xfe")
    for name, content in OTHERS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


MISTAKES = {
    # --- Commands
    "matsch greedy random": "there is no command 'matsch'; did you mean impulse match? (",
    "trian": "there is no command 'trian'; did you mean impulse train? (impulse --help)",
    "tournement": "there is no command 'tournement'; did you mean impulse tournament?",
    "evalute 2p": "there is no command 'evalute'; did you mean impulse evaluate?",
    "calibrate 2p": "there is no command 'calibrate'; did you mean impulse agents calibrate?",
    "train-rllib": "there is no command 'train-rllib'; did you mean impulse train rllib?",
    "bench agnts": "there is no command 'bench agnts'; did you mean impulse bench agents?",
    "games calibrate": "there is no command 'games calibrate'; did you mean impulse agents cal",
    "games xyzzy": "there is no command 'games xyzzy' (impulse games --help)",
    "games --json": "there is no option --json (impulse games --help)",
    "xyzzy": "there is no command 'xyzzy' (impulse --help)",
    # --- Options
    "match greedy random --gamez 3": "there is no option --gamez; did you mean --games? "
    "(impulse match --help)",
    "match greedy random --team_sise 2": "there is no option --team_sise; did you mean --team-",
    "train --minuts=5": "there is no option --minuts; did you mean --minutes?",
    "train --warmstart 2p": "there is no option --warmstart; did you mean --warm-start?",
    "tournament --opponents greedy": "there is no option --opponents",
    "replay game.jsonl --veiwer 0": "there is no option --veiwer; did you mean --viewer?",
    "play --no-terminal": "there is no option --no-terminal; did you mean --terminal?",
    "export game.jsonl -o a.svg": "there is no option -o; did you mean --out?",
    "play --json": "there is no option --json",
    # --- Agents
    "match greedi random": "unknown agent 'greedi'; did you mean greedy? there are random, greedy",
    "match greedy core-rush": "unknown agent 'core-rush'; did you mean core_rush?",
    "tournament --agents greedy randon": "unknown agent 'randon'; did you mean random?",
    "games record warior": "unknown agent 'warior'; did you mean warrior?",
    "games analyse ismtcs:100": "unknown agent 'ismtcs:100'; did you mean ismcts?",
    "games annotate game.jsonl --by mienr": "unknown agent 'mienr'; did you mean miner?",
    "evaluate 2p --opponents tradr": "unknown agent 'tradr'; did you mean trader?",
    "train --opponents gredy": "unknown agent 'gredy'; did you mean greedy?",
    "train --eval-opponents gredy": "unknown agent 'gredy'; did you mean greedy?",
    "train imitate --teacher warior": "unknown agent 'warior'; did you mean warrior?",
    "train best-response warier": "unknown agent 'warier'; did you mean warrior?",
    "match greedy random --adjust warrior": "luck is judged by a trained agent, such as",
    "match greedy random --players 3 --adjust policy:2p": "policy:2p was trained for 2 players",
    "tournament --agents greedy random --adjust gredy": "unknown agent 'gredy'; did you mean",
    "agents fit-luck greedy --games 30": "there is no checkpoint 'greedy'; shipped are 2p, 3p, 4p",
    "agents fit-luck rules --games 3": "games must be 20 or more, not 3",
    "export --format parquet --out x": "data come from records or from games that --agents play",
    "train fit-evaluation --agents gredy": "unknown agent 'gredy'; did you mean greedy?",
    "play --terminal --opponents gredy": "unknown agent 'gredy'; did you mean greedy?",
    "play --terminal --hint ismct:300": "unknown agent 'ismct:300'; did you mean ismcts?",
    "play --no-open --agents gredy": "unknown agent 'gredy'; did you mean greedy?",
    "evaluate 2q": "there is no checkpoint '2q'; shipped are 2p, 3p, 4p",
    "agents model-card 2q": "there is no checkpoint '2q'; shipped are 2p, 3p, 4p",
    "train --warm-start 2q": "there is no checkpoint '2q'; shipped are 2p, 3p, 4p",
    "match policy:2q random": "there is no checkpoint '2q'; shipped are 2p, 3p, 4p",
    # --- Files
    "replay game.jsonk": "game.jsonk: No such file or directory; did you mean game.jsonl?",
    "games annotate gamme.jsonl": "gamme.jsonl: No such file or directory; did you mean game",
    "export gam.jsonl --out a.svg": "gam.jsonl: No such file or directory; did you mean game",
    "replay .": ".: Is a directory",
    "match policy:./game.jsonl random": "game.jsonl is not a checkpoint of this project, or only",
    "evaluate ./game.jsonl": "game.jsonl is not a checkpoint of this project, or only part of one",
    "games annotate odd.bin": "odd.bin, line 1: this is not text in UTF-8",
    "tournament report runs/t1": "there is no tournament in runs/t1: it has no settings.json",
    "tournament --replay 3 --out runs/t1": "there is no tournament in runs/t1",
    "train --resume runs/three": "there is no run to resume in runs/three",
    # --- Something else than was asked for
    "match game.jsonl random": "unknown agent 'game.jsonl'; game.jsonl is a record of a game: "
    "`impulse replay game.jsonl`, optionally with --analyse",
    "games analyse game.jsonl": "unknown agent 'game.jsonl'; game.jsonl is a record of a game: ",
    "tournament --agents greedy game.jsonl": "unknown agent 'game.jsonl'; game.jsonl is a record",
    "evaluate policy:2p": "there is no checkpoint 'policy:2p'; did you mean 2p?",
    "match t1 random": "unknown agent 't1'; t1 is a tournament: `impulse tournament report t1`",
    "match demo random": "unknown agent 'demo'; demo is a training: its agent is policy:./demo",
    "match policy:t1 random": "there is no checkpoint 't1'; t1 is a tournament: `impulse tour",
    "evaluate ./t1": "'./t1' is a folder without policy.safetensors, and a checkpoint is a file; t",
    "train --resume t1": "there is no run to resume in t1: no state.safetensors was saved "
    "there; t1 is a tour",
    "tournament report demo": "there is no tournament in demo: it has no settings.json; demo is",
    "tournament report .": "there is no tournament in .: it has no settings.json; . is a f",
    "replay t1": "t1: Is a directory; t1 is a tournament: `impulse tournament report t1`",
    "replay t1/games.jsonl": "t1/games.jsonl, line 1: this is not a record: the first line must be "
    '{"format":"impulse-record",…}; t1/games.jsonl is a tournament\'s games: `impulse tournament '
    "--replay N --record FILE --out t1` makes one a record",
    "replay demo/policy.safetensors": "demo/policy.safetensors, line 1: this is not text in UTF-8; "
    "demo/policy.safetensors is a checkpoint: its agent is policy:demo/policy.safetensors",
    "replay greedy": "greedy: No such file or directory; greedy is an agent: `impulse games record",
    "games annotate policy:2p": "policy:2p: No such file or directory; policy:2p is an agent",
    # --- The same twice
    "tournament --agents greedy random greedy": "agents must all be different, but greedy "
    "is there twice; `impulse match greedy greedy` plays it against itself",
    "agents standings policy:2p policy:2p": "agents must all be different, but policy:2p occurs",
    "train best-response random random": "targets must all be different, but random occurs twice",
    "train ablation --seeds 1 2 1": "seeds must all be different, but 1 occurs twice",
    "train ablation --arms average=0.9 average=0.9": (
        "arms must all be different, but average=0.9 occurs twice"
    ),
    "train --eval-opponents random random": "eval_opponents must all be different, but random",
    "train fit-evaluation --players 2 2": "players must all be different, but 2 occurs twice",
    # --- Values
    "match greedy random --games x": "--games takes INT: 'x' (impulse match --help)",
    "match greedy random --games 2.5": "--games takes INT: '2.5'",
    "match greedy random --games 0": "games must be 1 or more, not 0",
    "match greedy random --games -5": "games must be 1 or more, not -5",
    "match greedy random --games": "--games needs a value (impulse match --help)",
    "match greedy random --players 7": "players must be an integer from 2 to 6, not 7",
    "play --no-open --port 99999": "port must be from 0 to 65535, not 99999",
    "match greedy --players 2": "a game of 2 sides takes 2 agents; not 1",
    "match": "a game of 2 sides takes 2 agents; not 0",
    "train --minutes soon": "--minutes takes FLOAT: 'soon' (impulse train --help)",
    "train --minutes 0": "minutes must be more than 0, not 0.0",
    "train --num-envs 0": "num_envs must be 1 or more, not 0",
    "train --minibatch-size 1": "minibatch_size must be 2 or more, not 1",
    "train --width 0": "width must be 1 or more, not 0",
    "train --policy-layers 8 0": "policy_layers must be 1 or more, not 0",
    "train --snapshot-every 0": "snapshot_every must be 1 or more, not 0",
    "train --eval-steps 0": "eval_steps must be 1 or more, not 0",
    "train --eval-opponents": "--eval-opponents needs at least one agent",
    "train --threads 0": "threads must be 1 or more, not 0",
    "train --seed -1": "seed must be 0 or more, not -1",
    "train --players 9": "players must be an integer from 2 to 6, not 9",
    "train --team-size 2": "team_size (players per team) with 2 players must be one of None; not 2",
    "train --gamma 1.5": "gamma must be from 0 to 1, not 1.5",
    "train --learning-rate nan": "learning_rate must be 0 or more, not nan",
    "train --clip-range inf": "clip_range must be 0 or more, not inf",
    "train --seed 4294967296": "seed must be 4294967295 or less, not 4294967296",
    "train --num-envs 100000000000": "num_envs must be 1048576 or less, not 100000000000",
    "train --average 1": "average must be 0, or a decay below 1 such as 0.999, not 1.0",
    "train --played-starts 1.5": "played_starts must be from 0 to 1, not 1.5",
    "train --magnet average": "--magnet average needs --average, the decay of the weights' average",
    "train --value-only --critic hands": "--value-only trains the network's own value head: it",
    "train --games device --played-starts 0.5": "--played-starts needs --games host: games on",
    "train --games device --opponents ismcts:8 --num-envs 8": "--games device: 'ismcts:8' cannot",
    "train --num-envs 1000000 --rollout-steps 1000000": (
        "--num-envs 1,000,000 with --rollout-steps 1,000,000 needs"
    ),
    "train --self-fraction nan": "the shares of opponents (nan, 0.2, 0.5) (current, past, fixed)",
    "train --overwrite": "--overwrite needs --out; without it, the run makes a new folder",
    "train --resume game.jsonl": "there is no run to resume in game.jsonl: game.jsonl is a",
    "train --network x:y --network-args [8]": "--network-args must be an object, not [8] (an",
    "train --network x:y --network-args {": "--network-args is not JSON, or cut off",
    'train --network-args {"width":8}': "--network-args needs your own network; pointers",
    "train --device warp": "--device warp cannot be used: ",
    "train imitate --epochs 0": "epochs must be 1 or more, not 0",
    "train imitate --workers -1": "workers must be 1 or more, not -1",
    "train imitate --reward money": "reward must be one of win, score, not 'money'",
    "train fit-evaluation --games 0": "games must be 10 or more, not 0",
    "train fit-evaluation --agents": "a fit needs at least one number of players and one agent",
    "train ablation --arms": "an ablation needs at least one arm and one seed",
    "train ablation --seeds": "an ablation needs at least one arm and one seed",
    "agents search-trials": "name at least one candidate: a setting such as exploration=2, or a ",
    "agents search-trials greedy": "greedy is not a search with a number of simulations",
    "agents search-trials depth=2": "a search has no setting 'depth=2'; allowed: turns=1 to 10",
    "agents search-trials turns=0": "a search has no setting 'turns=0'; allowed: turns=1 to 10",
    "agents search-trials turns=3 --alpha 0.5": "alpha and beta must be below 0.5, and par plus ",
    "train best-response": "name at least one target agent",
    "train best-response random --points 0": "points must be 1 or more, not 0",
    "train best-response random --timesteps 0": "timesteps 0 trains nothing, so only a search",
    "train best-response random --coalition": "a coalition needs three players or more and no",
    "train --coalition --players 3": 'a coalition needs the reward "win", which all its seats',
    "bench --repeats 0": "repeats must be 1 or more, not 0",
    "bench agents --simulations 10 0": "simulations must be 1 or more, not 0",
    "bench training --num-envs 8 0": "num_envs must be 1 or more, not 0",
    "tools signature --games 0": "games must be 1 or more, not 0",
    "match greedy random --seed -1": "seed must be 0 or more, not -1",
    "export --seed -1 --out a.svg": "seed must be 0 or more, not -1",
    "games record greedy --seed -1": "seed must be 0 or more, not -1",
    "games annotate game.jsonl --by ismcts:9 --seed -1": "seed must be 0 or more, not -1",
    "play --terminal --seed -1": "seed must be 0 or more, not -1",
    "play --no-open --listen home": "listen must be an address of this machine",
    "play --no-open --listen 0.0.0.0": "listen must be one address of this machine",
    "play --no-open --listen 10.0.0.1:99999": "port must be from 0 to 65535, not 99999",
    "play --no-open --tls-cert a.pem": "tls-cert and tls-key go together: give both",
    "play --no-open --tls-cert a.pem --tls-key b.pem": "file a.pem does not exist",
    "play --no-open --time-limit 0": "time-limit must be above 0, not 0",
    "match greedy random --time-limit 0": "time-limit must be above 0, not 0",
    "games record greedy --game-time-limit -1": "game-time-limit must be above 0, not -1",
    "tournament --memory-limit nan": "memory-limit must be above 0, not nan",
    "train --reward scor --minutes 1": "reward must be one of win, score, not 'scor'",
    "train --network pointer": "there is no network 'pointer'; did you mean pointers?",
    "replay game.jsonl --viewer pubilc": "the viewer must be all, public or a seat from 0 to 1, "
    "not 'pubilc'",
    "export game.jsonl --out a.sgv": "a.sgv cannot be written: it ends in .svg, .png, .txt",
    "export game.jsonl --out t.csv": "t.csv cannot be written: it ends in .svg, .png, .txt, .json, "
    ".html; for tables as CSV it is a folder, such as --out t, and --format parquet writes data",
    "export game.jsonl --out t --turn 3": "--turn and --step select a picture, a text or a pos",
    "export game.jsonl --out t.html --step 3": "--turn and --step select a picture, a text or a",
    "export game.jsonl": "--out FILE is missing: the ending of FILE selects the format",
    "tools completion --shell bsh": "--shell must be one of bash, zsh, fish; did you mean bash? "
    "(impulse tools completion --help)",
    "tools golden": "nothing to rewrite: give --games FOLDER, --drawings FOLDER, or both",
    "games record greedy greedy greedy --players 4": "agents must be one, or one for each of 4",
    # --- Places
    "replay": "missing RECORD (impulse replay --help)",
    "games annotate": "missing RECORD (impulse games annotate --help)",
    "games analyse": "missing AGENT (impulse games analyse --help)",
    "evaluate": "missing CHECKPOINT (impulse evaluate --help)",
    "tournament report": "missing FOLDER (impulse tournament report --help)",
    "replay game.jsonl again.jsonl": "unexpected argument 'again.jsonl' (impulse replay --help)",
    "agents all": "there is no command 'agents all' (impulse agents --help)",
}
"""What is typed, and what the answer begins with."""


@pytest.mark.parametrize("typed", MISTAKES)
def test_a_mistake_is_one_sentence_that_says_what_is_right(typed, folder, capsys):
    before = sorted(folder.rglob("*"))
    assert impulse(*typed.split()) == 2
    assert refusal(capsys).startswith(MISTAKES[typed])
    assert sorted(folder.rglob("*")) == before, "nothing is written"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_refuses_an_option_that_it_does_not_have(name, capsys):
    assert impulse(*name.split(), "--no-such-option") == 2
    assert refusal(capsys).startswith("there is no option --no-such-option")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_misspelt_command_names_the_right_one(name, capsys):
    assert impulse(*(name[:-1] + "x").split()) == 2
    assert f"did you mean impulse {name}?" in refusal(capsys)


@pytest.mark.parametrize("name", [name for name in COMMANDS if " " in name])
def test_a_command_is_found_by_its_own_word_wherever_it_is(name, capsys):
    if name.split()[1] not in COMMANDS:
        assert impulse(name.split()[1]) == 2
        assert f"did you mean impulse {name}? (impulse --help)" in refusal(capsys)


def test_an_option_may_be_typed_with_underscores(capsys):
    assert impulse("match", "random", "--team_size", "2") == 2
    assert "--team_size" not in refusal(capsys)


def test_a_process_ends_with_the_sentence_and_its_code():
    run = run_impulse("match", "greedi", "random")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("error: unknown agent 'greedi'; did you mean greedy?")
    assert run.stderr.count("\n") == 1
