"""Measuring a trained agent: against a fixed suite, during training, and on its model card."""
