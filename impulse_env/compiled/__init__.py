"""Compilation of functions, and storage of their machine code; contains no rules of the game.

compilation   decorators that compile functions
linking       late linking, for a quick cold start
stand_alone   code that runs without numba
memory        memory without allocations
code_cache    machine code on disk
code_folder   the folder of the machine code
shipped_code  machine code in a wheel
stored_code   code for other machines and languages on disk
"""
