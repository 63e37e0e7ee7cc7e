"""What the project offers to tests: golden games and drawings, the signature, random play."""
