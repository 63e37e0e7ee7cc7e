"""What a training needs to go on, as if it had never stopped.

folder       the folder of a training, and what lies in it
checkpoint   what a training needs to go on to the bit
state_file   that as a file, and the one before
state_check  what is in it, looked at before it is used
resume       the options of a resumed training
"""
