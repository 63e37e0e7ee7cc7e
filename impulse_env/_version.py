"""The version of the project, alone so that every module can import it."""

__version__ = "0.1.0"
