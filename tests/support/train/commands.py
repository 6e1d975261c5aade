"""Commands that are refused."""

from spades_env.play.commands.cli import main


def refusal(capsys, *arguments: str) -> str:
    """Return the line on stderr with which a command is refused."""
    assert main(list(arguments)) == 2
    text = capsys.readouterr().err
    assert text.count("\n") == 1
    return text
