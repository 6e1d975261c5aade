"""All that a page may ask for, and the first message that it gets."""

from play.server.requests.company import COMPANY
from play.server.requests.guests import GUESTS
from play.server.requests.hello import hello
from play.server.requests.lessons import LESSONS
from play.server.requests.progress import PROGRESS
from play.server.requests.request import Client
from play.server.requests.review import REVIEW
from play.server.requests.setup import SETUP
from play.server.requests.table import TABLE, enter_first

REQUESTS = TABLE | GUESTS | COMPANY | SETUP | REVIEW | PROGRESS | LESSONS


async def begin(client: Client) -> None:
    client.tell({"hello": await hello(client)})
    await enter_first(client)
