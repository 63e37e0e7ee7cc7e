"""The origin of a checkpoint.

process   command, versions, commit and machine of a training process
checkout  whether this code runs from a checkout or an installation
"""
