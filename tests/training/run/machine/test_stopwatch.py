"""A stopwatch adds up the time of each part by itself."""

import time

import pytest
import torch

from impulse_training.run.machine.stopwatch import Stopwatch


def test_the_time_of_a_part_is_added_up_and_a_part_may_contain_another():
    watch = Stopwatch(torch.device("cpu"))
    assert watch.seconds["never"] == 0
    for _ in range(2):
        with watch.timed("whole"):
            time.sleep(0.01)
            with watch.timed("inner"):
                time.sleep(0.02)
    assert 0.04 <= watch.seconds["inner"] < watch.seconds["whole"] - 0.02


def test_the_host_waits_for_a_device_only_if_asked(monkeypatch):
    waited = []
    monkeypatch.setattr(torch.cuda, "synchronize", waited.append)
    device = torch.device("cuda:1")
    watch = Stopwatch(device)
    with watch.timed("part"):
        pass
    assert not waited
    watch.waits = True
    with watch.timed("part"):
        pass
    assert waited == [device, device]


def test_an_error_ends_a_part_without_a_time():
    watch = Stopwatch(torch.device("cpu"))
    with pytest.raises(KeyError), watch.timed("part"):
        raise KeyError
    assert watch.seconds["part"] == 0
