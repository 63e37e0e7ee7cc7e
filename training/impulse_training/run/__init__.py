"""Parts that all training runs share.

common_options  options of several training commands
budget          the limits of a run
warm_start      the weights that a run starts from
masking         masks the logits of illegal actions
value_only      freezes all weights but those of the value
migrate         adapts weights to another observation
learning_rate   the learning rate schedule
learning_curve  the results of evaluations, as a file and a picture
legs            the stages of a run, in the metadata of its checkpoint
storage/        the files of a run's folder
machine/        memory, processors, processes and clusters
terminal/       the command line and the output
provenance/     the code and the machine of a run
"""
