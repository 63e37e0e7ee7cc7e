"""Builds what is published: `make wheel` writes two wheels and the sdist into dist/.

One wheel has machine code for this platform, this Python and the versions of numba and llvmlite
that are installed: its first step takes a second. It also has the kernels for NVIDIA GPUs, once for
all levels of processors. The other fits everywhere, and compiles. pip takes the first where it
fits.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

# Whoever installs it wants it unchecked; the tests check every index.
os.environ["NUMBA_BOUNDSCHECK"] = "0"

import impulse_agents
import impulse_env
from impulse_env.c_library.files import FOLDER as C_LIBRARY
from impulse_env.compiled.code_cache import SUFFIX as CODE
from impulse_env.compiled.code_folder import folder_name
from impulse_env.compiled.shipped_code import FOLDER, levels
from impulse_env.gpu.stored import SUFFIX as PTX
from paths import PACKAGES, ROOT


def main(out: Path) -> None:
    """Compile for every level, build, and print what is in the wheel."""
    work = ROOT / "build" / "machine_code"
    shutil.rmtree(work, ignore_errors=True)
    code = work / "wheel"
    for level in levels():
        print(f"Compiling for {level}.", flush=True)
        collect(compiled_for(level, work / level), code)
    print("Compiling for GPUs.", flush=True)
    collect(compiled_for_gpus(work / "gpu"), code)
    if os.name == "posix":
        print("Compiling the C library.", flush=True)
        collect(compiled_for_c(work / "c"), code)
    shutil.rmtree(out, ignore_errors=True)
    run_build(out)
    run_build(out, "--wheel", IMPULSE_MACHINE_CODE=str(code))
    for path in sorted(out.iterdir()):
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
        if path.suffix == ".whl" and not path.stem.endswith("-any"):
            tell_machine_code(path)


def compiled_for(level: str, folder: Path) -> Path:
    """Compile everything for that level of processors into a fresh folder; return it."""
    command = ["-m", "impulse_training.cli", "tools", "warmup"]
    return run_into(folder, *command, NUMBA_CPU_NAME=level, NUMBA_CPU_FEATURES="")


def compiled_for_gpus(folder: Path) -> Path:
    """Compile the kernels into a fresh folder; return it."""
    program = (
        "from impulse_agents import gpu; from impulse_env.gpu import kernels; "
        "from impulse_env.gpu.stored import store_all; "
        "store_all((*kernels.KERNELS, gpu.RULES, gpu.LOOK_AHEAD))"
    )
    return run_into(folder, "-c", program)


def compiled_for_c(folder: Path) -> Path:
    """Make the C library in a fresh folder; return it."""
    program = "from impulse_env.c_library.files import shared_library; shared_library()"
    return run_into(folder, "-c", program)


def run_into(folder: Path, *words: str, **settings: str) -> Path:
    """Run Python with a fresh folder for the machine code; return the folder."""
    # Names that numba makes up from sets come in the same order: equal sources give equal bytes.
    own = {"IMPULSE_CACHE_DIR": str(folder), "PYTHONPATH": PACKAGES, "PYTHONHASHSEED": "0"}
    subprocess.run([sys.executable, *words], env={**os.environ, **settings, **own}, check=True)
    return folder


def collect(folder: Path, code: Path) -> None:
    """Add the code of that folder to what the wheel gets."""
    for package in (impulse_env, impulse_agents):
        name = folder_name(Path(package.__path__[0]))
        target = code / package.__name__ / FOLDER / name
        target.mkdir(parents=True, exist_ok=True)
        for path in (folder / name).glob("*"):  # nothing if a package has none
            if path.suffix in (CODE, PTX):
                shutil.copyfile(path, target / path.name)
        if (folder / name / C_LIBRARY).is_dir():
            shutil.copytree(folder / name / C_LIBRARY, target / C_LIBRARY)


def run_build(out: Path, *words: str, **settings: str) -> None:
    """Build into that folder."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), *words]
    env = {**os.environ, **settings}
    done = subprocess.run([*command, str(ROOT)], env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: the build failed:\n{done.stdout}{done.stderr}")


def tell_machine_code(wheel: Path) -> None:
    """Print how much machine code of which function the wheel has."""
    sizes: Counter[str] = Counter()
    compressed: Counter[str] = Counter()
    files: Counter[str] = Counter()
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            if f"/{FOLDER}/" in entry.filename:
                function = entry.filename.rsplit("/", 1)[1].rsplit("-", 1)[0].removesuffix(PTX)
                sizes[function] += entry.file_size
                compressed[function] += entry.compress_size
                files[function] += 1
    for function in sorted(sizes):
        print(
            f"  {function}: {files[function]} files, {sizes[function] / 1e6:.1f} MB, "
            f"compressed {compressed[function] / 1e6:.2f} MB"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
