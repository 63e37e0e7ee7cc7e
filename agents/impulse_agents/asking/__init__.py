"""Asking agents: one contract for all of them, whoever wrote them and wherever they play.

An agent answers each decision with an integer that is a legal action, in time. What it does
instead is an `AgentFault`, which names it.

faults         what an agent did wrong
ask            asks an agent, and checks what it answers
global_random  keeps the random state of a process apart from that of an agent
process        a process that answers questions and can be ended
limits         time and memory that agents may take
guard          agents in a process of their own, within limits
"""
