"""The card of a trained agent.

model_card      the page on a checkpoint
card_training   what it says of the training
front_matter    its head, which the Hugging Face Hub reads
"""
