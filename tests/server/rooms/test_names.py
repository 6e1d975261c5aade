"""Names that look the same can't sit side by side at a table; people with names in any script can sit."""

import pytest
from support.play.servers import guest, owner, running

from spades_env.play.server.rooms.names import look_alike


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "anna"),
        ("Anna", "\uff21\uff4e\uff4e\uff41"),  # full width
        ("Anna", "\u0410nn\u0430"),  # Cyrillic A
        ("Otto", "\u041ett\u043e"),  # Cyrillic O
        ("OTTO", "\u039f\u03a4\u03a4\u039f"),  # all Greek
        ("Anna", "A\u0301nna"),  # an accent of its own
        ("\u00c1nna", "A\u0301nna"),
        ("Ren\u00e9", "Rene"),
        ("Anna", "An\u034fna\ufe0f"),  # what nobody sees
        ("Anna", "Anna\u3164"),
        ("Bill", "BiI1"),
        ("Ilia", "\u0406l\u0456\u0430"),  # Ukrainian I
        ("Bernd", "Bemd"),
        ("Ann Lee", "Ann  Lee"),
        ("\u0412\u043e\u0432\u0430", "\u0432\u043e\u0432\u0430"),  # Cyrillic in both, with a capital V
        ("Stra\u00dfe", "STRASSE"),
    ],
)
def test_these_look_alike(one, other):
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Hanna"),
        ("Ian", "Lan"),
        ("Max", "May"),
        ("\u0412\u043e\u0432\u0430", "Vova"),
        ("\u0410\u043d\u043d\u0430", "Anna"),  # the Russian n is no n
        ("\u304b\u306a", "\u304c\u306a"),  # kana and gana
        ("\u092e\u0940\u0928\u093e", "\u092e\u0948\u0928\u093e"),  # Mina and Maina, by a vowel
        ("\u05d3\u05df", "\u05d3\u05b8\u05df"),  # Dan with and without its vowel
        ("\u674e", "\u738b"),
    ],
)
def test_these_do_not(one, other):
    assert not look_alike(one, other)


def test_a_name_that_looks_like_another_is_refused_and_any_script_may_sit(tmp_path):
    with running(tmp_path) as server:
        host = owner(server)
        host.until(host.to_move)
        host.done("rename", name="Otto")
        path = host.done("invite")["path"]
        first, second, third = (guest(server, path) for _ in range(3))
        assert "looks like \u041etto" in first.refused("sit", seat=1, name="\u041etto")
        assert "looks like H\u043est" in first.refused("sit", seat=1, name="H\u043est")
        assert "already called otto" in first.refused("sit", seat=1, name="otto")
        first.done("sit", seat=1, name="\u0410\u043d\u043d\u0430")
        second.done("sit", seat=2, name="\u674e\u660e")
        assert "looks like" in third.refused("sit", seat=3, name="A\u043d\u043dA")
        third.done("sit", seat=3, name="\u05d3\u05b8\u05df")
        for page in (host, first, second, third):
            page.close()


def test_a_host_who_is_named_like_a_guest_stays_the_host_at_this_table(server):
    host = owner(server)
    host.until(host.to_move)
    anna = guest(server, host.done("invite")["path"], 2, "Anna")
    host.done("rename", name="\u0410nn\u0430")
    anna.done("stop")
    assert server.table(host).seats.people == ["You", None, "Anna", None]
    host.done("rename", name="Bela")
    anna.until(lambda: anna.view["seats"][2]["who"] == "Bela")
