"""Playing with other people: the link for them, who has come, quick phrases, and taking a seat."""

from typing import Any

from spades_env.play.terminal.client import Message, TableClient
from spades_env.play.terminal.screens.form import Form, FormRow, Pick
from spades_env.play.terminal.words import said


class Guests(Form):
    """The link to the table, and the guests who have come. found: the server's answers, with why there is no link."""

    def __init__(self, client: TableClient, found: Message):
        super().__init__(said("invite.title"))
        self._client, self._found = client, found

    def rows(self) -> list[FormRow]:
        note = self._found["reach"] or f"{said('invite.who')} {said('invite.kept')}"
        rows = [FormRow(said("invite.link"), self._found["link"], note, enter=lambda: self.send(self._look_again()))]
        if self._found["link"]:
            rows.append(FormRow(said("invite.end"), enter=lambda: self.send(self._end_link())))
        if self._found["guests"]:
            rows.append(FormRow(said("guests.title")))
        return rows + [self._guest_row(guest) for guest in self._found["guests"]]

    def _guest_row(self, guest: dict[str, Any]) -> FormRow:
        place = guest["place"] or said("guests.no_seat")
        notes = [
            place,
            said("guests.bot") * bool(guest["place"] and not guest["plays"]),
            said("away") * (not guest["here"]),
        ]
        name = guest["name"] or said("guests.somebody")
        return FormRow(
            name, ", ".join(filter(None, notes)), said("guests.how"), enter=lambda: self._choose(name, guest)
        )

    def _choose(self, name: str, guest: dict[str, Any]) -> None:
        """Ask what to do with a guest."""
        items = []
        if guest["place"]:
            items.append((("free", {"seat": guest["seat"]}), said("guests.free"), "", said("guests.free_sure")))
        if guest["guest"]:
            items.append(
                (("put_out", {"guest": guest["guest"]}), said("guests.put_out"), "", said("guests.put_out_sure"))
            )
        self.pick(name, items, lambda chosen: self.send(self._do(*chosen)))

    async def _do(self, do: str, fields: dict[str, Any]) -> None:
        await self._client.ask(do, **fields)
        await self._look_again()

    async def _end_link(self) -> None:
        await self._client.ask("revoke")
        self.cursor = 0  # its row goes
        self._found |= {"link": "", "reach": said("invite.ended")}

    async def _look_again(self) -> None:
        self._found = await found_people(self._client)


async def found_people(client: TableClient) -> Message:
    """Return the link to the table, or why there is none, and the guests."""
    invited, guests = await client.ask("invite"), await client.ask("guests")
    reach = said("terminal.alone") if client.server else invited["reach"]
    link = "" if reach else f"{invited['origin'] or client.origin}{invited['path']}"
    return {"link": link, "reach": reach, "guests": guests["guests"]}


def phrases(client: TableClient) -> Pick:
    """Return the choice of a quick phrase."""
    return Pick(said("say.title"), [(one["phrase"], one["words"], "", "") for one in client.hello["phrases"]])


def seats(lobby: dict[str, Any], fault: str = "") -> Pick:
    """Return the choice of a seat, for somebody who has none. fault: why the last choice was refused."""
    items = [
        (seat["seat"], seat["who"], said("lobby.come_back" if seat["yours"] else "lobby.sit"), lobby["rules"])
        for seat in lobby["seats"]
        if seat["free"] and not lobby["over"]
    ]
    return Pick(fault or said("lobby.take" if items else "lobby.over"), items)
