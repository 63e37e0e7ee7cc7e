"""A protocol for agents that are programs in any language: JSON lines over stdin and stdout.

The guide docs/guides/protocol.md describes it.

messages      the messages as types, and the limits of lines
program       a program with its pipes, ended at any moment
questions     the lines about a decision, made from the seat's view
conversation  the messages of a host and a program, in order
command       the words and the files of a command
agent         a program as an agent
"""
