"""Recipes say how the agents of record are trained again, and are followed stage by stage."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from impulse_agents.checkpoints import FOLDER
from impulse_agents.network.agent import PolicyAgent
from impulse_training.cli.train.train import main
from impulse_training.evaluation.model_card.card_training import stages, training_rows
from impulse_training.imitation import distillation
from impulse_training.recipes import recipe as recipes
from impulse_training.recipes import results, run
from impulse_training.recipes.recipe import RANDOM, RecipeError, names, read, stage_of
from impulse_training.selfplay.option_checks import check_args
from impulse_training.selfplay.train_options import Args

HOURS_A_RECIPE = 10
HOURS_A_STAGE = 2
STEPS_A_SECOND = 6_000
"""On two cores: `impulse bench training` finds more for any number of players."""
TINY = {
    "num_envs": 4,
    "rollout_steps": 8,
    "minibatch_size": 32,
    "width": 16,
    "policy_layers": [16],
    "value_layers": [8],
    "eval_games": 2,
    "eval_opponents": ["random"],
    "eval_steps": None,
}
ENDED = 100


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A folder of recipes of one's own; everything else is written beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(recipes, "folder", lambda: tmp_path / "recipes")
    (tmp_path / "recipes").mkdir()
    return tmp_path / "recipes"


def write(folder, name, text):
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")


def toml(value):
    return "[]" if value == [] else json.dumps(value)


def miniature(name, players, number_of_stages, begins, **more):
    """Return a recipe with tiny stages as text."""
    shared = {**TINY, "players": players, **more}
    lines = ["[options]", *(f"{k} = {toml(v)}" for k, v in shared.items() if v is not None)]
    for number in range(number_of_stages):
        lines += ["[[stages]]", f"timesteps = {ENDED}", f"seed = {number}"]
        lines += [f'begins = "{begins}"'] if number == 0 else []
    return "\n".join(lines)


# --- The recipes that there are -------------------------------------------------------------------


def test_there_is_a_recipe_for_every_number_of_players_and_for_teams():
    stages = [stage for stage in all_stages() if stage.teacher is None]
    tables = {(stage.options["players"], stage.options.get("team_size")) for stage in stages}
    assert tables == {(2, None), (3, None), (4, None), (5, None), (6, None), (4, 2)}


def all_stages():
    return [stage for name in names() for stage in read(name).stages]


@pytest.mark.parametrize("name", names())
def test_the_stages_that_an_agent_went_through_end_with_its_own_and_have_curves(name):
    agent = PolicyAgent.load(FOLDER / f"{name}.safetensors")
    learned = results.learned(agent)
    assert f"{name}/{max(learned)}" == agent.config["recipe"]["leg"]
    taught = {stage.number for stage in read(name).stages if stage.teacher is not None}
    assert set(learned) == set(range(min(learned), max(learned) + 1)) - taught
    assert min(learned) == {"3p": 3}.get(name, 1)
    curves = recipes.folder() / name
    assert {path.name for path in curves.iterdir()} == {
        "README.md",
        *(f"{stage.number}.csv" for stage in read(name).stages if stage.teacher is None),
    }


def test_the_result_of_a_stage_with_average_weights_has_these(written):
    write(written, "two", miniature("two", 2, 1, RANDOM, average=0.5))
    (stage,) = run.train_recipe(Args(recipe="two")).done
    result = PolicyAgent.load(results.path_of(stage))
    for name, is_it in (("average", True), ("policy", False)):
        trained = PolicyAgent.load(results.RUNS / "two" / "1" / f"{name}.safetensors")
        trained.save(half := written.with_name(f"{name}.safetensors"), is_half=True)
        assert (PolicyAgent.load(half).weights_digest() == result.weights_digest()) is is_it


def test_what_the_last_stage_does_not_descend_from_is_trained_only_for_others(written):
    begun = miniature("three", 3, 2, "two/1")
    elsewhere = begun[begun.index("[[stages]]") : begun.rindex("[[stages]]")]
    write(written, "two", miniature("two", 2, 1, RANDOM))
    write(written, "three", f"{begun}\n{elsewhere}")
    write(written, "four", miniature("four", 4, 1, "three/2"))
    made = [run.train_recipe(Args(recipe=name)).made for name in ("three", "four")]
    assert [[stage.name for stage in stages] for stages in made] == [
        ["two/1", "three/3"],
        ["three/1", "three/2", "four/1"],
    ]
    agents = [PolicyAgent.load(results.path_of(stage)) for stages in made for stage in stages]
    assert [list(results.learned(agent)) for agent in agents] == [[1], [3], [1], [1, 2], [1]]


@pytest.mark.parametrize("name", names())
def test_the_options_of_every_stage_are_allowed(name):
    for stage in read(name).stages:
        if stage.teacher is None:
            check_args(run.options_of(stage))
        else:
            distillation._check(run.lesson_of(stage))


@pytest.mark.parametrize("name", names())
def test_stages_and_recipes_are_short_enough(name):
    recipe = read(name)
    assert recipe.timesteps / STEPS_A_SECOND <= HOURS_A_RECIPE * 3600
    for stage in recipe.stages:
        assert stage.options["timesteps"] / STEPS_A_SECOND <= HOURS_A_STAGE * 3600


def test_the_learning_rate_falls_in_every_stage_and_is_highest_from_random_weights():
    """An agent that knows something takes smaller steps than one that knows nothing."""
    stages = [stage for stage in all_stages() if stage.teacher is None]
    fresh = [stage.options["learning_rate"] for stage in stages if stage.begins == "random"]
    for stage in stages:
        assert stage.options["final_learning_rate"] < stage.options["learning_rate"]
        if stage.begins != "random":
            assert stage.options["learning_rate"] < min(fresh)


def test_a_later_stage_takes_no_larger_steps_than_the_first_unless_it_meets_other_opponents():
    for name in names():
        first, *later = (stage for stage in read(name).stages if stage.teacher is None)
        for stage in later:
            if stage.options.get("value_only"):  # it does not change what is played
                continue
            has_other_opponents = stage.options["opponents"] != first.options["opponents"]
            if first.begins == "random" or not has_other_opponents:
                assert stage.options["learning_rate"] <= first.options["learning_rate"]


def test_every_stage_has_a_seed_of_its_own():
    seeds = [stage.options["seed"] for stage in all_stages()]
    assert len(seeds) == len(set(seeds))


def test_no_recipe_waits_for_itself():
    """Following what a stage begins with ends at random weights."""
    for stage in all_stages():
        passed = {stage.name}
        while stage.needs is not None:
            stage = stage_of(stage.needs)
            assert stage.name not in passed
            passed.add(stage.name)


@pytest.mark.slow
def test_every_recipe_runs_in_miniature(written, monkeypatch):
    """All stages of all recipes with their own options, but for their size; each begins as told."""
    real = recipes._INSTALLED.parents[3] / "agents" / "recipes"
    for path in real.glob("*.toml"):
        shutil.copy(path, written)

    options_of = run.options_of

    def tiny(stage):
        small = {k: tuple(v) if isinstance(v, list) else v for k, v in TINY.items()}
        return replace(options_of(stage), **small, timesteps=ENDED)

    lesson_of = run.lesson_of

    def brief(stage):
        small = {"width": 16, "policy_layers": (16,), "value_layers": (8,), "minibatch_size": 32}
        return replace(lesson_of(stage), **small, timesteps=ENDED)

    monkeypatch.setattr(run, "options_of", tiny)
    monkeypatch.setattr(run, "lesson_of", brief)
    monkeypatch.setattr(distillation, "GAMES", 2)
    monkeypatch.setattr(distillation, "HELD_OUT", 1)
    wanted = {name: [stage.name for stage in read(name).stages] for name in names()}
    wanted["4p"] = wanted["3p"][:2] + wanted["4p"]
    del wanted["3p"][:2]
    for name in ("2p", "3p", "4p", "4p-teams", "5p", "6p"):
        found = run.train_recipe(Args(recipe=name))
        assert [stage.name for stage in found.made] == wanted[name]
        agent = PolicyAgent.load(results.path_of(found.done[-1]))
        assert agent.config["players"] == read(name).stages[0].options["players"]
        assert agent.config["recipe"]["leg"] == found.done[-1].name
        story, before = agent.config["training"], len(found.made) - 1
        for _ in range(before):
            assert story["steps"] >= ENDED
            assert len(story.keys() & {"started_from", "taught_by"}) == 1
            story = story.get("started_from") or story["taught_by"]
        assert ("started_from" in story) == (name != "2p")


# --- Following one --------------------------------------------------------------------------------


def when_made(recipe):
    results = Path("runs/recipes", recipe).glob("*.safetensors")
    return {path: path.stat().st_mtime_ns for path in results}


def test_stages_are_made_one_after_another_and_once(written, capsys):
    write(written, "two", miniature("two", 2, 3, RANDOM))
    first = run.train_recipe(Args(recipe="two", legs=1))
    assert [stage.name for stage in first.made] == ["two/1"]
    rest = run.train_recipe(Args(recipe="two"))
    assert [stage.name for stage in rest.made] == ["two/2", "two/3"]
    assert [stage.name for stage in rest.done] == ["two/1", "two/2", "two/3"]
    made = {
        path: path.stat().st_mtime_ns for path in Path("runs/recipes/two").glob("*.safetensors")
    }
    assert len(made) == 3
    assert run.train_recipe(Args(recipe="two")).made == []
    assert {
        path: path.stat().st_mtime_ns for path in Path("runs/recipes/two").glob("*.safetensors")
    } == made


def interrupted(monkeypatch):
    """Train the recipe "two" as if it were interrupted in its next stage."""
    train = run.train.train_or_resume

    def cut_short(args):
        return replace(train(replace(args, timesteps=40)), was_interrupted=True)

    with monkeypatch.context() as patch:
        patch.setattr(run.train, "train_or_resume", cut_short)
        return run.train_recipe(Args(recipe="two"))


def test_a_stage_continues_where_it_was_interrupted(written, monkeypatch):
    write(written, "two", miniature("two", 2, 1, RANDOM))
    found = interrupted(monkeypatch)
    assert found.was_interrupted
    assert found.done == found.made == []
    assert not when_made("two")
    found = run.train_recipe(Args(recipe="two"))
    assert [stage.name for stage in found.made] == ["two/1"]
    legs = PolicyAgent.load(results.path_of(found.done[0])).config["training"]["legs"]
    assert len(legs) == 2


def test_a_stage_continues_in_a_checkout_that_was_moved(written, monkeypatch):
    write(written, "two", miniature("two", 2, 2, RANDOM))
    run.train_recipe(Args(recipe="two", legs=1))
    assert interrupted(monkeypatch).was_interrupted
    (elsewhere := written.with_name("elsewhere") / "recipes").parent.mkdir()
    written.rename(elsewhere)
    monkeypatch.setattr(recipes, "folder", lambda: elsewhere)
    found = run.train_recipe(Args(recipe="two"))
    assert [stage.name for stage in found.made] == ["two/2"]


def test_a_result_is_half_as_large_and_plays_nearly_the_same(written):
    write(written, "two", miniature("two", 2, 1, RANDOM))
    found = run.train_recipe(Args(recipe="two"))
    path = results.path_of(found.done[0])
    kept, whole = PolicyAgent.load(path), PolicyAgent.load("runs/recipes/two/1/policy.safetensors")
    for name, weight in whole.network.state_dict().items():
        other = kept.network.state_dict()[name]
        assert other.dtype == weight.dtype
        assert (other - weight).abs().max() <= 1e-3 * weight.abs().max()
    assert path.with_suffix(".csv").read_text().startswith("seconds,steps")


def test_the_stages_of_other_recipes_that_a_recipe_needs_are_trained_first(written):
    write(written, "two", miniature("two", 2, 3, RANDOM))
    write(written, "three", miniature("three", 3, 1, "two/2"))
    run.train_recipe(Args(recipe="two", legs=1))
    made = run.train_recipe(Args(recipe="three"))
    assert [stage.name for stage in made.made] == ["two/2", "three/1"]
    config = PolicyAgent.load(results.path_of(made.done[-1])).config
    story = config["training"]
    assert story["started_from"]["started_from"]["legs"][0]["steps"] >= ENDED
    rows = dict(training_rows(config))
    assert rows["Recipe"] == "stage three/1; `impulse train --recipe three`"
    lines = stages(config).splitlines()
    assert [line[:15] for line in lines if line[:2] == "1."] == [
        "1. stage two/1:",
        "1. stage two/2:",
    ]


def test_a_recipe_begins_with_the_shipped_agent_of_a_stage_that_is_not_there(written, monkeypatch):
    write(written, "two", miniature("two", 2, 2, RANDOM))
    write(written, "three", miniature("three", 3, 1, "two/2"))
    run.train_recipe(Args(recipe="two"))
    monkeypatch.setattr(results, "FOLDER", (shipped := written.with_name("shipped")))
    shipped.mkdir()
    results.path_of(stage_of("two/2")).rename(shipped / "two.safetensors")
    results.path_of(stage_of("two/1")).unlink()
    assert [stage.name for stage in run.train_recipe(Args(recipe="three")).made] == ["three/1"]
    again = run.train_recipe(Args(recipe="two"))
    assert [stage.name for stage in again.made] == ["two/1", "two/2"]


@pytest.mark.parametrize("name", names())
def test_a_released_agent_is_the_result_of_the_last_stage_of_its_recipe(
    name, tmp_path, monkeypatch
):
    """If an option changed the stage, a stage of another recipe would train all of it again."""
    monkeypatch.chdir(tmp_path)  # without results of one's own
    assert results.start_of(read(name).stages[-1]) == FOLDER / f"{name}.safetensors"


def test_a_result_of_another_recipe_is_not_taken_for_this_one(written):
    write(written, "two", miniature("two", 2, 1, RANDOM))
    run.train_recipe(Args(recipe="two"))
    write(written, "two", miniature("two", 2, 1, RANDOM, gamma=0.9))
    with pytest.raises(RecipeError, match="comes from another version of stage two/1"):
        run.train_recipe(Args(recipe="two"))


def test_a_stage_descends_from_all_before_it(written):
    """A change of an early stage makes the results of later ones another's, too."""
    write(written, "two", miniature("two", 2, 2, RANDOM))
    digest = read("two").stages[1].digest
    write(written, "two", miniature("two", 2, 2, RANDOM).replace("seed = 0", "seed = 7"))
    assert read("two").stages[1].digest != digest


TAUGHT = """
[[stages]]
teacher = "before"
timesteps = 100
seed = 7
network = "map"
minibatch_size = 32
learning_rate = 1e-3
"""


def test_a_stage_is_taught_by_the_agent_of_another(written, monkeypatch):
    monkeypatch.setattr(distillation, "GAMES", 2)
    monkeypatch.setattr(distillation, "HELD_OUT", 1)
    text = miniature("two", 2, 1, RANDOM) + TAUGHT
    text += "[[stages]]\ntimesteps = 100\nseed = 9\nnetwork = 'map'\n"
    write(written, "two", text)
    assert [(stage.begins, stage.teacher) for stage in read("two").stages] == [
        (RANDOM, None),
        (RANDOM, "two/1"),
        ("two/2", None),
    ]
    found = run.train_recipe(Args(recipe="two", threads=1))
    assert [stage.name for stage in found.made] == ["two/1", "two/2", "two/3"]
    first, taught, last = (PolicyAgent.load(results.path_of(stage)) for stage in found.done)
    assert list(results.learned(first)) == [1]  # whatever came later
    assert list(results.learned(last)) == [1, 3]
    assert taught.config["network"]["kind"] == last.config["network"]["kind"] == "map"
    assert taught.config["recipe"]["leg"] == "two/2"
    told = stages(last.config).splitlines()
    assert [line[:15] for line in told if line[:2] == "1."] == [
        "1. stage two/1:",
        "1. stage two/2:",
    ]
    assert "teacher of the next" in told[2]
    assert "teacher of the next" not in told[3]
    digest = read("two").stages[2].digest
    write(written, "two", text.replace("learning_rate = 1e-3", "learning_rate = 2e-3"))
    assert read("two").stages[2].digest != digest


def test_who_has_a_teacher_begins_with_nothing_else(written):
    write(written, "two", miniature("two", 2, 1, RANDOM) + TAUGHT + "begins = 'before'\n")
    with pytest.raises(RecipeError, match="stage 2 has a teacher, so begins must be 'random'"):
        read("two")
    write(written, "two", miniature("two", 2, 1, RANDOM) + TAUGHT + "gamma = 0.9\n")
    with pytest.raises(RecipeError, match="with a teacher cannot set the option 'gamma'"):
        read("two")
    write(written, "two", miniature("two", 2, 1, RANDOM) + TAUGHT.replace("before", "three/1"))
    with pytest.raises(RecipeError, match="there is no recipe 'three'"):
        read("two")


def test_a_stage_like_another_has_its_options_but_for_the_end_and_the_seed(written):
    text = miniature("two", 2, 1, RANDOM, gamma=0.9) + "\nlearning_rate = 1e-4\n" + TAUGHT
    like = "[[stages]]\nlike = 1\ntimesteps = 200\nnetwork = 'map'\n"
    write(written, "two", text + like)
    first, _, last = read("two").stages
    expected = first.options | {"timesteps": 200, "network": "map"}
    del expected["seed"]
    assert last.options == expected
    same = "[[stages]]\ntimesteps = 200\nnetwork = 'map'\nlearning_rate = 1e-4\n"
    write(written, "two", text + same)
    assert read("two").stages[2].digest == last.digest  # how it is written makes no other stage
    write(written, "two", text + like.replace("= 1", "= 2"))
    with pytest.raises(
        RecipeError, match="stage 3 has like = 2, but earlier stages of its kind are 1"
    ):
        read("two")


def test_an_agent_of_no_recipe_went_through_no_stages():
    agent = PolicyAgent.load(FOLDER / "2p.safetensors")
    del agent.config["recipe"]
    with pytest.raises(RecipeError, match="does not come from a recipe"):
        results.learned(agent)


def test_a_wheel_has_recipes_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(recipes, "checkout", lambda: None)
    monkeypatch.setattr(recipes, "_INSTALLED", tmp_path)
    assert names() == []
    write(tmp_path, "two", miniature("two", 2, 1, RANDOM))
    assert names() == ["two"]


# --- Mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stages = 3", "is not a recipe"),
        ("[[stages]]\nbegins = 'random'", "stage 1 needs timesteps"),
        ("[[stages]]\ntimesteps = 9", "the first stage has no previous one"),
        (
            "[[stages]]\nbegins = 'random'\ntimestep = 9",
            "cannot set the option 'timestep'; did you mean",
        ),
        (
            "[[stages]]\nbegins = 'random'\ntimesteps = 9\nminutes = 1",
            "cannot set the option 'minutes'",
        ),
        (
            "[[stages]]\nbegins = 'random'\ntimesteps = 9\nthreads = 2",
            "cannot set the option 'threads'",
        ),
        ("[[stages]]\nbegins = 'one/1'\ntimesteps = 9", "of its own recipe: only 'before'"),
        ("[[stages]]\nbegins = 'none/1'\ntimesteps = 9", "there is no recipe 'none'"),
        ("[[stages]\n", "is not a recipe"),
        ("[[stages]]\nbegins = 'random'\ntimesteps = 9\nlike = 1", "of its kind are none"),
        (
            "[[stages]]\nbegins = 'random'\ntimesteps = 9\n[[stages]]\nlike = true",
            "has like = True",
        ),
        (
            "[[stages]]\nbegins = 'random'\ntimesteps = 9\n[[stages]]\nlike = 'one/1'",
            "of its kind are 1",
        ),
    ],
)
def test_an_invalid_recipe_is_refused_in_a_sentence(written, text, said):
    write(written, "one", text)
    with pytest.raises(RecipeError, match=said) as error:
        read("one")
    assert "\n" not in str(error.value)


def test_options_that_a_recipe_sets_cannot_be_given_beside_it(written):
    write(written, "two", miniature("two", 2, 1, RANDOM))
    with pytest.raises(RecipeError, match="--recipe sets --players itself"):
        run.train_recipe(Args(recipe="two", players=3))
    with pytest.raises(RecipeError, match="there is no recipe 'tow'; did you mean two"):
        run.train_recipe(Args(recipe="tow"))
    with pytest.raises(RecipeError, match="--legs needs --recipe"):
        main(Args(legs=1))
    assert not (written.parent / "runs").exists()


def test_the_machines_options_are_given_beside_a_recipe(written, monkeypatch):
    write(written, "two", miniature("two", 2, 1, RANDOM))
    train, seen = run.train.train_or_resume, []
    monkeypatch.setattr(run.train, "train_or_resume", lambda args: seen.append(args) or train(args))
    run.train_recipe(Args(recipe="two", threads=2, save_every=7.0))
    assert (seen[0].threads, seen[0].save_every, seen[0].players) == (2, 7.0, 2)


def test_a_stage_with_an_unknown_number_is_refused(written):
    write(written, "two", miniature("two", 2, 2, RANDOM))
    for name in ("two/3", "two/0", "two", "two/x"):
        with pytest.raises(RecipeError, match="the recipe two has the stages 1 to 2"):
            stage_of(name)
