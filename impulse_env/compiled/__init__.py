"""How functions are compiled, and where their machine code is kept; it knows no rule.

compilation   how functions are compiled
linking       late and once, for a quick cold start
code_cache    machine code on disk
code_folder   the folder that it lies in
shipped_code  machine code that a wheel brings
"""
