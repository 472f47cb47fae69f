"""Recognise messages that only describe code, as review comments do: the user passes them on to have them solved."""

import re

LEAST_WORDS, LEAST_NAMES = 18, 2
"""A shorter message, or one with a single name in code, may well be a fact that the user tells."""
_NAMES = re.compile(
    r"`[^`\n]+`|\b[a-z]+\.[A-Z]\w+|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+|\b\w+_\w+\b|\b\w+\(\)|(?<!\w)--[a-z][\w-]+|\b[\w-]+\.[a-z]{1,4}\b"
)
_PERSONS = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|im|we|we're|we've|our|ours|us|you|your|my|me|let's|lets|please|pls|btw|remember|fyi"
    r"|by the way|from now on)\b|\?",
    re.IGNORECASE,
)


def is_description(message: str) -> bool:
    """Whether a message describes code and nobody speaks in it: no "we", no "you", no question, several names."""
    text = message.replace("\u2019", "'")
    if len(text.split()) < LEAST_WORDS or _PERSONS.search(text):
        return False
    return len({name[0] for name in _NAMES.finditer(text)}) >= LEAST_NAMES
