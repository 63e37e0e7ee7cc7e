"""Calls to agents: one contract for all agents, of any author and in any command.

An agent must answer each decision in time, with an integer that is a legal action. Anything else is
an `AgentFault`, which names the agent.

faults         an agent's faults
ask            ask an agent, and check its answer
global_random  separate the random state of a process from that of an agent
process        a process that answers questions and can be ended
limits         limits of agents' time and memory
guard          agents in their own process, within limits
"""
