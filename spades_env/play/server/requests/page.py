"""All that a page may ask for, and the first message that it gets."""

from spades_env.play.server.requests.company import COMPANY
from spades_env.play.server.requests.guests import GUESTS
from spades_env.play.server.requests.hello import hello
from spades_env.play.server.requests.lessons import LESSONS
from spades_env.play.server.requests.progress import PROGRESS
from spades_env.play.server.requests.request import Client
from spades_env.play.server.requests.review import REVIEW
from spades_env.play.server.requests.setup import SETUP
from spades_env.play.server.requests.table import TABLE, enter_first

REQUESTS = TABLE | GUESTS | COMPANY | SETUP | REVIEW | PROGRESS | LESSONS


async def begin(client: Client) -> None:
    client.tell({"hello": await hello(client)})
    await enter_first(client)
