"""What agents think of a decision, and the processes in which they are asked."""
