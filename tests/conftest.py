"""Settings that must be in place before numba is imported for the first time."""

import os

# Outside a field of a record lies the next field: without these checks a wrong
# index changes something else and raises nothing. Uncompiled code checks by itself.
if os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0"):
    os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
