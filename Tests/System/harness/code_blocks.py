"""The code blocks of a page in Markdown."""

import re

BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def code_blocks(text):
    """Language and content of each block, without the indentation of a list."""
    for indentation, language, content in BLOCK.findall(text):
        yield language, re.sub(f"^{indentation}", "", content, flags=re.MULTILINE)


def without_code_blocks(text):
    return BLOCK.sub("", text)
