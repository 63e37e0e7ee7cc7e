"""Questions that take several trainings or many games, and the demo."""
