"""What every training has: options, a budget, provenance, a learning curve, a folder.

common_options  options that several trainings have in common
budget          how long a training goes on
warm_start      the weights it begins with
masking         logits without the illegal actions
migrate         weights for another observation
learning_rate   how it falls towards the end
interrupt       Ctrl-C and SIGTERM that end it in good order
processes       others beside this one, which hear no Ctrl-C
folder_lock     one process alone writes into its folder
tree_file       what trainings go on from, as a file in which nothing can be executed
disk            a full disk in a sentence
args_file       its options in its folder
result          what it leaves behind, and where
snapshots       its policies on the way, spread over it
learning_curve  what evaluations found, as a file and a picture
command_line    what was typed
screen          where commands print text and tables
provenance      with what a process trains: command, versions, commit, machine
legs            what a checkpoint tells of the processes that trained it
checkout        whether this is a checkout or an install
hardware        this machine in words
device          where torch computes
allocator       keeps freed memory, which saves time
ray_cluster     a connection to a Ray cluster
"""
