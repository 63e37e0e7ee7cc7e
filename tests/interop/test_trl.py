"""The example for TRL: its tools, its rewards, and one step of GRPO with a tiny random model."""

import json
import re
from functools import partial

import numpy as np
import pytest

from impulse_agents.tasks import Episode, Task, read_tasks
from impulse_agents.tasks.task import packed, write_tasks
from impulse_env import Game
from impulse_env.actions import name_of
from impulse_env.language.calls import SIGNATURES, choices
from paths import ROOT

pytest.importorskip("trl")
pytestmark = [
    pytest.mark.interop,
    # TRL says that its factory is new, and its libraries warn of one another.
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
EXAMPLE = ROOT / "docs/examples/trl"
GROUP = 8


@pytest.fixture(autouse=True)
def example(monkeypatch, tasks_file):
    """The folder of the example is importable; its tasks are races, and a decision."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    import impulse_trl

    write_tasks(tasks_file, [*read_tasks(tasks_file), decision()])
    impulse_trl.tasks.cache_clear()
    yield impulse_trl
    impulse_trl.tasks.cache_clear()


def decision():
    """A task whose calls are answered by one action each, with chances that all differ."""
    game = Game(2, 5)
    while True:
        legal = game.legal_actions()
        if choices(game.state, legal)[0].verb == "add_to_impulse" and len(legal) > 3:
            break
        game.step(legal[0])
    text, digest = packed(game)
    chances = {name_of(action): 0.1 + index / 10 for index, action in enumerate(legal)}
    return Task(
        "choice", 1, "decision", game.seat, 7, "core_rush", text, digest, "core_rush", chances
    )


def first_legal(text):
    """The first legal call of a view: its verb, and its arguments."""
    verb, name, value = re.findall(r"Legal: (\w+)\((?:(\w+)=([\w-]+))?", text)[-1]
    return verb, ({name: value} if name else {})


def called(env, call):
    verb, arguments = call
    return getattr(env, verb)(**arguments)


def test_the_page_plays_a_task_by_tools(shown):
    assert shown["env"]._episode.seat is None
    assert -1 <= shown["reward"] <= 2


def test_each_action_is_a_tool_with_types_and_descriptions(example):
    from transformers.utils import get_json_schema

    env = example.ImpulseEnv()
    public = {name for name in dir(env) if not name.startswith("_")}
    assert public - {"reset", "get_reward"} == set(SIGNATURES)
    for verb, arguments in SIGNATURES.items():
        schema = get_json_schema(getattr(env, verb))["function"]
        assert schema["name"] == verb
        properties = schema["parameters"]["properties"]
        assert tuple(properties) == arguments
        assert all(value["type"] and value["description"] for value in properties.values())
        assert ("Args:" in getattr(env, verb).__doc__) == bool(arguments)
    fleet = get_json_schema(env.move_fleet)["function"]["parameters"]
    assert {name: value["type"] for name, value in fleet["properties"].items()} == {
        "from": "string",
        "ships": "integer",
        "to": "string",
    }


def test_tools_give_what_the_episode_gives(example, tasks_file):
    env, task = example.ImpulseEnv(), read_tasks(tasks_file)[1]
    seen, episode = env.reset(task=task.id, prompt=[]), Episode(task)
    assert seen.endswith(f"## Now\n\n{episode.prompt()}")
    while episode.seat is not None:
        verb, arguments = first_legal(seen)
        seen = called(env, (verb, arguments))
        episode.reply(f"{verb}({', '.join(f'{k}={v}' for k, v in arguments.items())})")
        assert seen == episode.prompt()
    assert env.get_reward() == episode.rewards[task.seat]
    with pytest.raises(ValueError, match="The episode is over"):
        called(env, ("pass", {}))


def test_three_refusals_or_an_early_end_forfeit(example):
    env = example.ImpulseEnv()
    env.reset(task="race-0")
    before = env._episode.game.to_bytes()
    with pytest.raises(ValueError, match="Refused: move_fleet"):
        env.move_fleet(**{"from": "1", "to": "19"})
    with pytest.raises(ValueError, match="trade has no argument 'cards'"):
        env.trade(cards=[5])
    assert env._episode.game.to_bytes() == before
    with pytest.raises(ValueError, match="You forfeit"):
        env.trade(card="none")
    assert env.get_reward() == -1
    env.reset(task="race-0")
    assert env.get_reward() == -1


def test_tools_show_nothing_hidden_and_nothing_of_the_rollout_before(example, tasks_file):
    used, rng = example.ImpulseEnv(), np.random.default_rng(1)
    rows = [json.dumps(row) for row in example.dataset(["race", "decision"])]
    for task, row in zip(read_tasks(tasks_file), rows, strict=True):
        assert task.game not in row
        new = example.ImpulseEnv()
        # Environments of TRL are reused: the text must not depend on their earlier tasks.
        seen = used.reset(task=task.id)
        assert seen == new.reset(task=task.id)
        for _ in range(12):
            if used._episode.seat is None:
                break
            game = used._episode.game
            dealt = game.determinize(game.seat, rng)
            assert dealt.to_bytes() != game.to_bytes()
            used._episode.game = dealt
            assert seen.endswith(used._episode.prompt())
            used._episode.game = game
            call = first_legal(seen)
            seen = called(used, call)
            assert seen == called(new, call)


# --- A step of training -------------------------------------------------------------------------


def tiny(texts):
    """A random model of some thousand weights, and a tokenizer made from texts.

    The chat template is that of a model which calls tools; TRL ships it.
    """
    from pathlib import Path

    import torch
    import trl
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<pad>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        texts,
        trainers.BpeTrainer(vocab_size=1000, special_tokens=special, initial_alphabet=alphabet),
    )
    words = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<|im_end|>"
    )
    template = Path(trl.__file__).parent / "chat_templates/qwen3.jinja"
    words.chat_template = template.read_text(encoding="utf-8")
    torch.manual_seed(1)
    config = Qwen2Config(
        vocab_size=len(words),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=16_384,
        eos_token_id=words.eos_token_id,
        pad_token_id=words.pad_token_id,
    )
    return Qwen2ForCausalLM(config), words


def written_call(verb, arguments):
    call = json.dumps({"name": verb, "arguments": arguments})
    return f"<tool_call>\n{call}\n</tool_call>"


def constrained(words, replies):
    """A function for `generate`: the model may only write one of these replies, and end.

    A random model writes no calls otherwise.
    """
    paths = [[*words(reply)["input_ids"], words.eos_token_id] for reply in replies]
    start = words("<|im_start|>assistant\n")["input_ids"]

    def allowed(_, ids):
        ids = ids.tolist()
        begin = max(at for at in range(len(ids)) if ids[at : at + len(start)] == start) + len(start)
        done = ids[begin:]
        following = {p[len(done)] for p in paths if len(p) > len(done) and p[: len(done)] == done}
        return sorted(following) or [words.pad_token_id]

    return allowed


def test_a_step_of_grpo_learns_from_the_rewards_of_tools(example, tmp_path):
    """TRL asks the model until a reply has no call of a tool, so some calls come after the end."""
    from trl import GRPOConfig

    task = decision()
    game = Episode(task).game
    (choice,) = choices(game.state, game.legal_actions())
    calls = [(choice.verb, {choice.argument: value}) for value in choice.values]
    replies = [
        *(written_call(*call) for call in calls),
        written_call("trade", {"card": 1}),
        "Done.",
    ]
    model, words = tiny([example.ImpulseEnv().reset(task=task.id), *replies])
    model.generate = partial(model.generate, prefix_allowed_tokens_fn=constrained(words, replies))
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    seen = []

    def noting(completions, environments, **columns):
        seen.extend(zip(completions, columns["task"], environments, strict=True))
        return [0.0] * len(completions)

    trainer = example.trainer(
        model,
        processing_class=words,
        reward_funcs=noting,
        train_dataset=example.dataset(),
        args=GRPOConfig(
            output_dir=str(tmp_path),
            max_steps=1,
            per_device_train_batch_size=GROUP,
            num_generations=GROUP,
            max_completion_length=2048,
            max_tool_calling_iterations=2,
            learning_rate=1e-2,
            use_cpu=True,
            report_to=[],
            logging_steps=1,
            seed=1,
        ),
    )
    trainer.train()

    assert len(seen) == GROUP
    rewards, results = [], []
    for messages, name, env in seen:
        episode = Episode(task)
        assert name == task.id
        for message in messages:
            for call in message.get("tool_calls") or ():
                function = call["function"]
                if episode.seat is not None:
                    episode.reply(json.dumps({**function["arguments"], "action": function["name"]}))
            results += [message["content"]] * (message["role"] == "tool")
        while episode.seat is not None:
            episode.reply("")
        rewards.append(episode.rewards[task.seat])
        assert env.get_reward() == rewards[-1]
    assert any(result.startswith("Done: add_to_impulse(card=") for result in results)
    assert any("The episode is over" in result for result in results)
    assert len(set(rewards)) > 1
    log = next(row for row in trainer.state.log_history if "rewards/ImpulseEnv/mean" in row)
    assert log["rewards/ImpulseEnv/mean"] == pytest.approx(np.mean(rewards), abs=1e-6)
    assert log["reward"] == pytest.approx(np.mean(rewards), abs=1e-6)
    assert log["tools/call_frequency"] > 0
    after = model.state_dict()
    assert any(not before[name].equal(after[name]) for name in before)
