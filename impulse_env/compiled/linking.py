"""A quick cold start: each function is compiled once, and only entry points are optimised.

numba links every function with all functions that it calls and optimises the whole, again for each
of its callers. It also compiles a function again for each width of its integers. Here, a function
that only compiled code calls is not linked until an entry point is linked with all of them, and it
takes every signed integer as 64 bits. The results are the same, with a third of the compilation.
Passes of numba that have no effect on these functions are left out.

Only this module depends on numba's code generation. It is imported only with tested versions of
numba, see `compilation.LINKS_LATE`; other versions link in their own way.
"""

from collections.abc import Iterable
from types import MethodType
from typing import Any, Final

from llvmlite import binding as llvm
from numba.core import compiler, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import require_global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.types import IntEnumMember, Literal, int64, signed_domain

_ENVIRONMENT: Final = "_ZN08NumbaEnv"
"""The beginning of numba's names for the environments of functions."""


# --- Linking -------------------------------------------------------------------------------------


class _CodegenOf:
    """A library's code generator, which stores environments until the machine code exists."""

    def __init__(self, library: "_LateLibrary") -> None:
        self._library = library

    def set_env(self, name: str, environment: Any) -> None:
        """Pass an environment to the machine code, or store it until the code exists."""
        if self._library.is_linked:
            self._library._codegen.set_env(name, environment)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._library._codegen, name)


class _LateLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """The code of one function, linked at the first request for its machine code."""

    is_linked = False
    _own: Any = None

    @property
    def codegen(self) -> _CodegenOf:
        return _CodegenOf(self)

    def finalize(self) -> None:
        """Mark the library as complete, without the linking and optimising that numba does here."""
        require_global_compiler_lock()
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function's machine code, 0 if it is not in this library."""
        self._ensure_finalized()
        if not self.is_linked:
            if not _is_defined(self._final_module, name):
                return 0
            self._link()
        return int(super().get_pointer_to_function(name))

    def serialize_using_object_code(self) -> Any:
        """Return the machine code, and the module that other functions may be linked with."""
        self._ensure_finalized()
        self._link()
        linkable = _linkable(self._final_module)
        return self.name, "object", (self._get_compiled_object(), linkable.as_bitcode())

    def _get_module_for_linking(self) -> Any:
        # Code that numba generates may call this function.
        self._ensure_finalized()
        self._link()
        return super()._get_module_for_linking()

    def _link(self) -> None:
        """Link the called functions, optimise the whole and generate its machine code."""
        if self.is_linked:
            return
        self.is_linked = True
        self._module_of(self)
        # Callers come first: LLVM drops functions without a caller.
        for library in reversed(self._below()):
            self._final_module.link_in(self._module_of(library), preserve=True)
        self._optimize_final_module()
        self._final_module.verify()
        self._finalized = False
        self._dynamic_globals.clear()
        self._finalize_final_module()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self._codegen.set_env(variable.name, environment)

    def _below(self) -> list[Any]:
        """Return the libraries of all functions that this one calls, callees before callers."""
        order: dict[Any, None] = {}

        def add(libraries: Iterable[Any]) -> None:
            for library in libraries:
                if library not in order:
                    if isinstance(library, _LateLibrary):
                        add(library._linking_libraries)
                    order[library] = None

        add(self._linking_libraries)
        return list(order)

    @staticmethod
    def _module_of(library: Any) -> Any:
        """Return the code of a library on its own, before linking."""
        if not isinstance(library, _LateLibrary):
            return library._get_module_for_linking()
        if library._own is None:
            library._own = _linkable(library._final_module)
        return library._own


def _is_defined(module: Any, name: str) -> bool:
    try:
        return not module.get_function(name).is_declaration
    except NameError:
        return False


def _linkable(module: Any) -> Any:
    """Return a copy whose functions may be duplicates, and are dropped without a caller."""
    module = module.clone()
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage.external:
            function.linkage = "linkonce_odr"
    return module


_NOT_NEEDED: Final = (
    "with_lifting",  # object mode
    "Rewrite dynamic raises",
    "inline_closure_likes",  # functions within functions
    "make_function_op_code_to_jit_function",
    "inline_inlinables",  # functions to be inlined before they are typed
    "inline_overloads",
    "find_literally",  # calls of numba's `literally` and `literal_unroll`
    "LiteralPropagation",
    "literal_unroll",
    "dump_parfor_diagnostics",
)
"""Passes of numba that are left out; each costs time in every function."""


class Flags(compiler.Flags):  # type: ignore[misc]  # numba has no types
    """numba's flags of a compilation, compared without making a table of all of them.

    They are part of the key under which numba stores the types of each call: comparing them is a
    tenth of a compilation. The name of the class is part of all names in the machine code.
    """

    def __hash__(self) -> int:
        return _HASH_OF_FLAGS

    def __eq__(self, other: object) -> Any:
        if type(other) is Flags and self._values == other._values:
            return True
        return super().__eq__(other)


_HASH_OF_FLAGS: Final = hash(compiler.Flags())
"""numba's own hash is the same for all flags."""


class LateCompiler(Compiler):  # type: ignore[misc]  # numba has no types
    """numba's compiler with late linking."""

    def __init__(self, *arguments: Any) -> None:
        *before, flags, names = arguments
        super().__init__(*before, Flags(flags), names)

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes without those in `_NOT_NEEDED`."""
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            needed = [each for each in pipeline.passes if each[0].name() not in _NOT_NEEDED]
            pipeline.passes = needed
        return list(pipelines)

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        if self.state.library is None:
            codegen = self.state.targetctx.codegen()
            self.state.library = _LateLibrary(codegen, func.__qualname__)
            self.state.library.enable_object_caching()
        return super().compile_extra(func)


# --- Code for other machines ---------------------------------------------------------------------


def source_of(function: Any, arguments: tuple[Any, ...]) -> tuple[str, str]:
    """Return a function as LLVM IR, linked with all functions that it calls, not optimised.

    Nothing in the IR is specific to this machine but its data layout. The functions of numba's
    memory management are declared, not defined.

    Args:
        function: A function of `jit_internal`; compiled for these arguments if it is not yet.
        arguments: numba's types of its arguments.

    Returns:
        The name of the function in the IR, and the IR.
    """
    function.compile(arguments)
    result = function.overloads[arguments]
    library = result.library
    module = library._module_of(library).clone()
    for below in reversed(library._below()):
        if isinstance(below, JITCodeLibrary):  # numba's memory management is another kind
            module.link_in(library._module_of(below), preserve=True)
    return result.fndesc.llvm_func_name, str(module)


# --- One overload --------------------------------------------------------------------------------


def with_wide_integers(dispatcher: Any) -> Any:
    """Make a function that compiled code calls take every signed integer as 64 bits."""
    dispatcher.get_call_template = MethodType(_get_call_template, dispatcher)
    return dispatcher


def _get_call_template(self: Any, args: Any, kws: Any) -> Any:
    """Return numba's call template, with wide integers."""
    signature, folded = self._compiler.fold_argument_types(args, kws)
    if self._can_compile:
        self.compile(tuple(_wide(argument) for argument in folded))
    name = self.py_func.__name__
    template = typing.make_concrete_template(
        f"CallTemplate({name})", key=name, signatures=self.nopython_signatures
    )
    return template, signature, folded, {}


def _wide(argument: Any) -> Any:
    if isinstance(argument, Literal):
        argument = argument.literal_type
    if argument in signed_domain or isinstance(argument, IntEnumMember):
        return int64
    return argument
