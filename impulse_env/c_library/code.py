"""The machine code of the library: numba's code with plain C functions around it."""

from typing import Any, Final

from llvmlite import binding as llvm
from numba import types

from impulse_env.c_library.entries import ENTRIES, Entry
from impulse_env.c_library.parts import Error
from impulse_env.compiled.stand_alone import (
    RUNTIME,
    check_compilable,
    declaration_of,
    module_of,
    optimise,
)

_LLVM_TYPES: Final = {types.int32: "i32", types.int64: "i64", types.uint64: "i64"}
"""By numba's types; all others are pointers."""
_ENTRY: Final = """
{declared}
define i32 @{name}({parameters}) {{
  %result = alloca i64
  %error = alloca ptr
  %status = call i32 @{function}(ptr %result, ptr %error{passed})
  %has_failed = icmp ne i32 %status, 0
  %long = load i64, ptr %result
  %value = trunc i64 %long to i32
  %returned = select i1 %has_failed, i32 {failed}, i32 %value
  ret i32 %returned
}}
"""


def object_code() -> bytes:
    """Return the library as an object file for every processor of this kind.

    It is position-independent. Vectors of newer processors would make it larger and slower.

    Raises:
        RuntimeError: numba compiles nothing here.
    """
    check_compilable("the functions of the C library")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    target = llvm.Target.from_triple(triple)
    machine = target.create_target_machine(opt=3, reloc="pic", codemodel="small")
    module = module_of(RUNTIME.format(), triple, machine)
    for entry in ENTRIES:
        _add(entry, module, triple, machine)
    for variable in module.global_variables:
        variable.linkage = "internal"
    optimise(module, machine, {entry.name for entry in ENTRIES})
    code: bytes = machine.emit_object(module)
    return code


def _add(entry: Entry, module: Any, triple: str, machine: Any) -> None:
    """Link a function and what it calls with the module."""
    from impulse_env.compiled.linking import source_of  # it needs a tested version of numba

    name, source = source_of(entry.function, entry.arguments)
    added = module_of(source, triple, machine)
    kinds = [_LLVM_TYPES.get(argument, "ptr") for argument in entry.arguments]
    parameters = [f"{kind} %p{number}" for number, kind in enumerate(kinds)]
    text = _ENTRY.format(
        declared=declaration_of(added, name),
        name=entry.name,
        function=name,
        parameters=", ".join(parameters),
        passed="".join(f", {parameter}" for parameter in parameters),
        failed=int(Error.FAILED),
    )
    module.link_in(module_of(text, triple, machine))
    module.link_in(added)  # second: LLVM drops functions without a caller
