"""The files in the folder of a training.

result       what it leaves behind, and where
args_file    its options
tree_file    what trainings go on from, as a file in which nothing can be executed
snapshots    its policies on the way, spread over it
folder_lock  one process alone writes into its folder
disk         a full disk in a sentence
"""
