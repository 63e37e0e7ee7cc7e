"""What every training has: options, a budget, a learning curve, a folder, and where it came from.

common_options  options that several trainings have in common
budget          how long a training goes on
warm_start      the weights it begins with
masking         logits without the illegal actions
migrate         weights for another observation
learning_rate   how it falls towards the end
learning_curve  what evaluations found, as a file and a picture
legs            what a checkpoint tells of the processes that trained it
storage/        the files of its folder
machine/        memory, processors, processes and clusters that it computes with
terminal/       what a person types, and sees
provenance/     with which code, and on which machine
"""
