"""Past advice of the demo."""


def send(session, market, lives, chance): ...
