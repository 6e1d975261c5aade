"""Tables of one person and three bots."""

from support.play.servers import TWO_HANDS, Page, Running, new_table

from spades_env.play.store.saved import packed

BOTS = ["random", "rule", "random", "rule"]


def new(page: Page, rules: str = TWO_HANDS, **options) -> str:
    return new_table(page, rules, BOTS, **options)


def packed_table(server: Running, page: Page) -> dict:
    """Return all of a page's table but its clock."""
    return packed(server.table(page)) | {"clock": None}
