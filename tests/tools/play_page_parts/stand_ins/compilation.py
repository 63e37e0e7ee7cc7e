"""In place of `impulse_env.compiled.compilation`: nothing is compiled in a browser."""

IS_COMPILED = False


def jit(function):
    """Return the function."""
    return function


jit_internal = plain = jit


def call(function, *arguments):
    """Call a function."""
    return function(*arguments)
