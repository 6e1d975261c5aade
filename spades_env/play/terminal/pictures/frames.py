"""The scenes between two views of a table: a complete trick stays for a while before it is cleared."""

from dataclasses import dataclass

from spades_env.play.terminal.pictures.table import Scene, scene_of
from spades_env.play.terminal.words import said


@dataclass(frozen=True)
class Frame:
    """A scene, and whether it stays for as long as a complete trick does."""

    scene: Scene
    stays: bool = False


def frames(before: dict | None, after: dict) -> list[Frame]:
    """Return the scenes that lead from one view to a later one."""
    complete: list[Frame] = []
    if before is None or before["key"] != after["key"]:
        pass
    elif after["hand_number"] == before["hand_number"] + 1:
        tricks = (after["previous"] or {"tricks": []})["tricks"]
        if tricks and len(before["tricks"]) == len(tricks) - 1:  # the last trick was played card by card
            complete = [Frame(Scene(_at_the_end(before, after), tricks[-1]), True)]
    elif after["hand_number"] == before["hand_number"] and len(after["tricks"]) == len(before["tricks"]) + 1:
        ended = {"outcome": None, "prompt": ""} if after["outcome"] else {}
        complete = [Frame(Scene(after | ended, after["tricks"][-1]), True)]
    return [*complete, Frame(scene_of(after))]


def ends_hand(before: dict | None, after: dict) -> bool:
    return before is not None and before["key"] == after["key"] and len(after["sheet"]) > len(before["sheet"])


def ends_game(before: dict | None, after: dict) -> bool:
    return before is not None and after["outcome"] is not None and before["outcome"] is None


def earlier_trick(view: dict, steps: int) -> Scene | None:
    """Return an earlier trick of this hand, or of the one before if this has none; 1 is the last trick."""
    tricks, previous = view["tricks"], view["previous"]
    if not tricks and previous:
        tricks, hand = previous["tricks"], previous["hand_number"]
    else:
        hand = view["hand_number"]
    if not 1 <= steps <= len(tricks):
        return None
    number = len(tricks) - steps + 1
    return Scene(
        view | {"outcome": None}, tricks[-steps], said("terminal.earlier", hand=hand, trick=number, all=len(tricks))
    )


def _at_the_end(before: dict, after: dict) -> dict:
    """Return the view as it was before, with the last trick counted."""
    taken = after["previous"]["taken"]
    seats = []
    for seat in before["seats"]:
        tricks = taken[seat["seat"]]
        nil = seat["nil"] and seat["nil"] | {"alive": tricks == 0}
        seats.append(seat | {"tricks": tricks, "nil": nil, "cards": 0})
    quiet = {"turn": None, "your_turn": False, "legal": [], "refused": {}, "lanes": [], "prompt": said("hand_over")}
    return before | quiet | {"seats": seats}
