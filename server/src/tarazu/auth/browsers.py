"""User agents in plain words: which browser, on what."""

# In this order: many name the ones they descend from as well.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


def in_words(user_agent: str) -> str:
    """Such as "Chrome on Windows"; the program's own name where it is no browser we know."""
    browser = _first_of(user_agent, _BROWSERS)
    system = _first_of(user_agent, _SYSTEMS)
    if browser and system:
        return f"{browser} on {system}"
    return browser or user_agent.partition("/")[0].strip() or "Unknown program"


def _first_of(user_agent: str, marks: tuple[tuple[str, str], ...]) -> str:
    return next((name for mark, name in marks if mark in user_agent), "")
