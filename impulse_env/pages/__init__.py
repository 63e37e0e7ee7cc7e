"""What all pages share: the kit of the table, the replay and the explorer, and pages as one file.

single_file  a page as one file that needs nothing else
kit/         base.css and board.css, theme, elements, keys, the board and the data of a page
"""
