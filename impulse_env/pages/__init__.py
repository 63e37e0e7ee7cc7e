"""Parts that all pages share: a kit for the table, the replay and the explorer.

single_file  a page as one file without dependencies
kit/         base.css and board.css, theme, elements, keys, the board and the data of a page
"""
