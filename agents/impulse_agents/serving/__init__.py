"""Both ends of the protocol for people: an agent as a program, and a check of a program.

engine       an agent that serves a host over stdin and stdout
conformance  whether a program obeys the protocol
"""
