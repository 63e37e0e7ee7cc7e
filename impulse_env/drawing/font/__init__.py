"""The font of the drawing: a part of Roboto Condensed (Apache License 2.0, see LICENSE.txt).

It travels with the package and inside every drawing, so that a text is as wide on every machine;
`tests/drawing/make_font.py` makes the files.
"""
