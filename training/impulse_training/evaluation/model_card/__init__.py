"""The model card of a trained agent.

model_card      writes the card of a checkpoint
card_training   the section on its training
front_matter    the metadata at its top, which the Hugging Face Hub reads
"""
