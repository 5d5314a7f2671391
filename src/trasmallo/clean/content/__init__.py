"""Which blocks of a page are its main content: methods that find it, and what else can be told of blocks.

A method takes the flat page, its layout and `favour` (0 = precision, 1 = recall) and says for each block whether it is main.
"""
