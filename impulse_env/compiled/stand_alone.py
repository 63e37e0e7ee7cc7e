"""Code that runs without numba: LLVM IR of compiled functions, linked with entry functions.

An entry function is a few lines of IR that call a function as numba compiles it.
"""

import re
from collections.abc import Set
from typing import Any, Final

import numba
from llvmlite import binding as llvm

from impulse_env.compiled.compilation import IS_COMPILED, LINKS_LATE

RUNTIME: Final = """
define void @NRT_incref(ptr %p) alwaysinline {{ ret void }}
define void @NRT_decref(ptr %p) alwaysinline {{ ret void }}
"""
"""numba counts references of arrays that it allocates; code that runs without it allocates none."""


def check_compilable(what: str) -> None:
    """Raise `RuntimeError` if no code can be made here; `what` names it in the message."""
    if not IS_COMPILED or not LINKS_LATE:
        why = "NUMBA_DISABLE_JIT is set" if not IS_COMPILED else f"numba is {numba.__version__}"
        raise RuntimeError(
            f"{what} cannot be compiled here ({why}): it takes a tested version of numba "
            "(0.68), or a wheel that contains them"
        )


def module_of(source: str, triple: str, machine: Any) -> Any:
    """Parse LLVM IR for a target."""
    source = re.sub(r"^target (triple|datalayout) = .*\n", "", source, flags=re.MULTILINE)
    head = f'target triple = "{triple}"\ntarget datalayout = "{machine.target_data}"\n'
    return llvm.parse_assembly(head + source)


def declaration_of(module: Any, name: str) -> str:
    """Return the line that declares a module's function in another one."""
    function = module.get_function(name)
    kinds = ", ".join(str(argument.type) for argument in function.arguments)
    return f"declare i32 @{function.name}({kinds})"


def optimise(
    module: Any, machine: Any, entries: Set[str], *, unrolls: bool = True, vectorises: bool = True
) -> None:
    """Optimise a module, of which only the entry functions can be called from elsewhere.

    Args:
        module: Changed in place.
        machine: LLVM's target.
        entries: Names of functions.
        unrolls: Whether loops are unrolled.
        vectorises: Whether code uses vectors.
    """
    for function in module.functions:
        if not function.is_declaration and function.name not in entries:
            function.linkage = "internal"
    module.verify()
    options = llvm.create_pipeline_tuning_options(3)
    options.loop_unrolling = unrolls
    options.loop_vectorization = options.slp_vectorization = vectorises
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
