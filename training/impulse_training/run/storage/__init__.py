"""The files in the folder of a training run.

result       the result of a run, and its folder
args_file    the options of a run
tree_file    the file format of training states, which cannot contain code
snapshots    the policies of a run, spread over time
folder_lock  lets only one process write to a folder
disk         errors of the disk in one sentence
"""
