"""The words that carry no meaning in a prompt. Import-light, because hooks ask."""

# B20: the words that carry no meaning in a prompt. One list for every reader that scores titles and tags.
STOP_WORDS = frozenset(
    """a about after all also an and any are as at be been before being but by can could did do does done
    for from get got had has have he her here him his how i if in into is it its just like may me might more
    most my no not now of on or out over please she should so some than that the their them then there these
    they this to too up us very was we were what when where which who why will with would you your""".split()  # noqa: SIM905
)
