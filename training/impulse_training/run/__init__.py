"""What every training has: options, a budget, provenance, a learning curve, a folder."""
