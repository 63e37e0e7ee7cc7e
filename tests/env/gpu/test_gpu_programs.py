"""Launching kernels: devices, refusals, and what the driver gets, which here is a stand-in."""

import ctypes
import os
import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from impulse_env import observation
from impulse_env.compiled.code_folder import code_folder
from impulse_env.compiled.compilation import IS_COMPILED, LINKS_LATE, package_folder
from impulse_env.errors import ArgumentError

torch = pytest.importorskip("torch")

from impulse_env.gpu import GpuBatch, batch, programs, stored  # noqa: E402
from impulse_env.gpu.kernels import DRAW, KERNELS, OBSERVE, STEP, UNPACK  # noqa: E402

compiles = pytest.mark.skipif(
    not (IS_COMPILED and LINKS_LATE), reason="kernels are compiled from numba's own IR"
)
CPU = torch.device("cpu")
STREAM = 77
ILLEGAL_ADDRESS = 700


class Driver:
    """A driver that notes its calls; a launch runs the kernel on the processor.

    The kernel gets the numbers in the cells whose addresses the launch passes.
    """

    def __init__(self):
        self.kernels, self.launches, self.attributes, self.codes = [], [], [], {}

    def _ended(self, name):
        return self.codes.get(name, 0)

    def cuModuleLoadData(self, module, code):  # noqa: N802
        assert code.endswith(b"\n\0")
        module._obj.value = 1
        return self._ended("cuModuleLoadData")

    def cuModuleGetFunction(self, function, module, name):  # noqa: N802
        assert module.value == 1
        (kernel,) = (one for one in KERNELS if one.name.encode() == name)
        self.kernels.append(kernel)
        function._obj.value = len(self.kernels)
        return self._ended("cuModuleGetFunction")

    def cuFuncGetAttribute(self, value, number, function):  # noqa: N802
        assert function.value == len(self.kernels)
        value._obj.value = 10 * number
        return 0

    def cuFuncSetAttribute(self, function, number, value):  # noqa: N802
        self.attributes.append((self.kernels[function.value - 1].name, number, value))
        return self._ended("cuFuncSetAttribute")

    def cuLaunchKernel(  # noqa: N802
        self, function, gx, gy, gz, bx, by, bz, shared, stream, cells, extra
    ):
        kernel = self.kernels[function.value - 1]
        assert (gy, gz, by, bz, stream.value, extra) == (1, 1, 1, 1, STREAM, None)
        numbers = [ctypes.c_int64.from_address(address).value for address in cells]
        self.launches.append((kernel.name, gx, bx, shared))
        threads = gx * bx
        if kernel is OBSERVE:
            # Here a block is one thread; a GPU has no block without a game.
            threads = min(threads, numbers[1])
        kinds = [ctypes.c_int64] * (1 + len(numbers))
        address = programs.program(kernel, CPU)._address
        assert ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(address)(threads, *numbers) == -1
        return self._ended("cuLaunchKernel")

    def cuGetErrorString(self, code, text):  # noqa: N802
        if code == ILLEGAL_ADDRESS:
            text._obj.value = b"an illegal memory access was encountered"
        return 0


@pytest.fixture
def driver(monkeypatch):
    stand_in, made = Driver(), {}
    monkeypatch.setattr(programs, "_driver", lambda: stand_in)
    monkeypatch.setattr(programs, "stored_ptx", lambda kernel: f"// {kernel.name}\n")
    monkeypatch.setattr(torch.cuda, "device", lambda device: nullcontext())
    stream = SimpleNamespace(cuda_stream=STREAM)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device: stream)

    def program(kernel, device):
        return made.setdefault(kernel, programs.GpuProgram(kernel, CPU))

    monkeypatch.setattr(batch, "program", program)
    return stand_in


# --- Launches ------------------------------------------------------------------------------------


@compiles
@pytest.mark.parametrize("count", [1, 63, 64, 65])
def test_a_driver_gets_every_argument(driver, count, monkeypatch):
    """Games through `GpuProgram` equal those through `ProcessorProgram`."""
    arguments = {"players": 3, "target_score": 2, "reward": "score", "device": "cpu"}
    mine = GpuBatch(count, **arguments)
    with monkeypatch.context() as patch:
        patch.setattr(batch, "program", programs.program)
        theirs = GpuBatch(count, **arguments)
    randomness = torch.arange(1, count + 1) * 97
    copied = randomness.clone()
    mine.play_at_random(60, randomness)
    views, games = mine.views(), mine.determinized(randomness)
    with monkeypatch.context() as patch:
        patch.setattr(batch, "program", programs.program)
        theirs.play_at_random(60, copied)
        assert torch.equal(views, theirs.views())
        assert torch.equal(games, theirs.determinized(copied))
    for name in ("states", "masks", "observations", "rewards", "scores", "seeds", "turns"):
        assert torch.equal(getattr(mine, name), getattr(theirs, name)), name
    assert torch.equal(randomness, copied)
    assert {name for name, *_ in driver.launches} == {kernel.name for kernel in KERNELS}


@compiles
def test_the_grid_covers_the_threads_in_blocks_of_the_kernel(driver):
    GpuBatch(65, 2, device="cpu")
    size = observation.size(2)
    sizes = {name: (grid, block, shared) for name, grid, block, shared in driver.launches}
    assert sizes == {
        "impulse_begin": (2, 64, 0),
        STEP.name: (2, 64, 0),
        UNPACK.name: (-(-65 * 45 // 64), 64, 0),
        OBSERVE.name: (3, 32, 32 * size),
    }


@compiles
def test_more_than_48_kib_of_shared_memory_are_asked_for_once(driver):
    games = GpuBatch(2, 6, device="cpu")
    games.step(games.masks.argmax(1))
    size = observation.size(6)
    assert 32 * size > 48 * 1024
    assert driver.attributes == [(OBSERVE.name, 8, 32 * size)]
    driver.attributes.clear()
    GpuBatch(2, 2, device="cpu")
    assert driver.attributes == []


@compiles
def test_a_program_states_its_registers_and_local_memory(driver):
    program = programs.GpuProgram(DRAW, CPU)
    assert (program.registers, program.local_bytes) == (40, 30)


@compiles
@pytest.mark.parametrize("call", ["cuModuleLoadData", "cuModuleGetFunction", "cuLaunchKernel"])
@pytest.mark.parametrize(
    ("code", "reason"),
    [(ILLEGAL_ADDRESS, "an illegal memory access was encountered"), (9999, "unknown error")],
)
def test_an_error_of_the_driver_has_its_words(driver, call, code, reason):
    driver.codes[call] = code
    with pytest.raises(programs.DriverError) as caught:
        GpuBatch(2, device="cpu")
    assert str(caught.value) == f"the GPU's driver: {reason} ({call}, error {code})"


# --- Devices -------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["cpu", torch.device("cpu"), "cpu:0"])
def test_the_processor_is_a_device(word):
    assert programs.checked_device(word) == CPU
    assert "one thread; torch" in programs.describe(CPU)


@pytest.mark.parametrize("word", ["", "gpu", "mps", "cuda:x", "cuda:-1", None, 1.5, "meta"])
def test_other_words_are_no_devices(word):
    with pytest.raises(ArgumentError) as caught:
        programs.checked_device(word)
    assert str(caught.value) == f'device must be "cuda", "cuda:N" or "cpu", not {word!r}'


@pytest.fixture
def one_gpu(monkeypatch):
    """A machine with one GPU, as torch describes it."""
    for name, value in {
        "is_available": True,
        "current_device": 0,
        "device_count": 1,
        "get_device_capability": (8, 0),
        "get_device_name": "Old GPU",
        "mem_get_info": (2**30, 2**31),
    }.items():
        monkeypatch.setattr(torch.cuda, name, lambda *_, value=value: value)


def test_a_gpu_gets_its_number(one_gpu):
    for word in ("cuda", "cuda:0", torch.device("cuda")):
        assert programs.checked_device(word) == torch.device("cuda", 0)


def test_a_gpu_that_is_not_there_is_refused(one_gpu):
    with pytest.raises(ArgumentError) as caught:
        programs.checked_device("cuda:1")
    assert str(caught.value) == 'there is no device "cuda:1": the GPUs are 0 to 0'


def test_an_old_gpu_is_refused(one_gpu, monkeypatch):
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda index: (7, 5))
    with pytest.raises(ArgumentError) as caught:
        programs.checked_device("cuda")
    assert str(caught.value) == (
        "Old GPU has compute capability 7.5; the kernels need 8.0 or higher"
    )


def test_without_a_gpu_one_sentence_says_so(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.version, "cuda", None)
    with pytest.raises(ArgumentError) as caught:
        GpuBatch(2)
    assert str(caught.value) == (
        'device "cuda" needs an NVIDIA GPU that torch can use; this build of torch is for CPUs '
        'only; "cpu" runs the same kernels without one'
    )


def test_too_many_games_for_the_memory_are_refused(one_gpu):
    each = 2432 + 180 + observation.size(4) + 128
    most = 2**30 // each
    with pytest.raises(MemoryError) as caught:
        GpuBatch(10**7, 4)
    assert str(caught.value) == (
        f"10000000 games need {10**7 * each / 2**30:.1f} GiB, and cuda:0 has 1.0 GiB free: "
        f"at most {most} games"
    )


def test_without_compilation_one_sentence_says_so(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", "from impulse_env.gpu import GpuBatch; GpuBatch(2, device='cpu')"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "IMPULSE_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == (
        "RuntimeError: the kernels cannot be compiled here (NUMBA_DISABLE_JIT is set): it takes a "
        "tested version of numba (0.68), or a wheel that contains them"
    )


@compiles
def test_code_for_the_processor_is_stored_and_a_damaged_file_compiled_again(capsys, monkeypatch):
    name = UNPACK.name
    path = code_folder(package_folder(UNPACK.function)) / f"{name}.o"
    first = stored.stored_object(UNPACK)
    capsys.readouterr()
    compiled = []
    monkeypatch.setattr(stored, "object_code", lambda kernel: compiled.append(kernel) or first)
    assert stored.stored_object(UNPACK) == first
    assert compiled == []
    path.write_bytes(path.read_bytes()[:-1])
    assert stored.stored_object(UNPACK) == first
    assert compiled == [UNPACK]
    assert "it is damaged" in capsys.readouterr().err
    assert stored.stored_object(UNPACK) == first
    assert compiled == [UNPACK]
