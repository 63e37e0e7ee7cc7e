"""Games played side by side, one batched call for each agent."""
