"""The training state, from which a run resumes as if it had never stopped.

folder       the folder of a run and its files
checkpoint   captures and restores the training state
state_file   the state as a file, with the previous one as a backup
state_check  checks a state before its use
resume       the options of a resumed run
"""
