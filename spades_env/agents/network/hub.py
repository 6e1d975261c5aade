"""Levels, and networks of any framework, in repositories of the Hugging Face Hub.

    agents.load("hf:OWNER/NAME")              the level there; hf:OWNER/NAME@REVISION a branch, tag or commit
    agents.load("hf:OWNER/NAME+trial:64")     with the options that any level has

A repository holds the level as level.safetensors, or a network as network.onnx, and its card as README.md. What is
fetched is kept in the library's own cache and checked as any file is: its digest, its environment, its layout. Nothing
in it is run. A process asks the hub once for each name; without a connection what was fetched before is played.

This is the only module that talks to the hub. The environment variable HF_ENDPOINT names another hub.
"""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from spades_env.agents.agent_name import HUB, ONNX, REPOSITORY, AgentName
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.base import Agent, AgentError
from spades_env.agents.network.level import Level, LevelError
from spades_env.agents.network.model_card import CARD, FILE, NETWORK_FILE, model_card, network_card
from spades_env.agents.network.options import play_level
from spades_env.errors import one_line
from spades_env.extras import MissingExtraError, needed

NEEDED = 'levels on a hub need huggingface_hub: pip install "spades-env[hub]"'


class HubError(AgentError):
    """A hub that is out of reach or lacks what was asked for; the message says what to do."""


def make(name: AgentName, seed: int) -> Agent:
    """Return the agent that plays the level of this name."""
    path = level_file(name)
    if path.suffix == ONNX:
        return _onnx_player().make(name, seed, path)
    try:
        return play_level(name, path, seed)
    except LevelError as error:
        raise HubError(f"{name.text!r} cannot be played: {error}") from error


def level_file(name: AgentName) -> Path:
    """Return the file of a level or a network on a hub, fetched if need be."""
    return fetch(*parsed(name.name.removeprefix(HUB)))


def parsed(text: str) -> tuple[str, str | None]:
    """Return repository and revision of OWNER/NAME or OWNER/NAME@REVISION."""
    found = REPOSITORY.fullmatch(text)
    if not found:
        raise HubError(f"invalid repository {text!r}; expected OWNER/NAME or OWNER/NAME@REVISION")
    return found[1], found[2]


@lru_cache
def fetch(repository: str, revision: str | None = None) -> Path:
    """Return the path of a repository's level or network in the cache, which is brought up to date first."""
    library, missing = _library(), needed("huggingface_hub.errors", NEEDED).EntryNotFoundError
    with _asking(repository, revision):
        try:
            return Path(library.hf_hub_download(repository, FILE, revision=revision))
        except missing:
            with suppress(missing):
                return Path(library.hf_hub_download(repository, NETWORK_FILE, revision=revision))
            raise


def pull(repository: str, out: Path | None = None, revision: str | None = None) -> Path:
    """Copy a repository's level or network into a file, by default NAME.safetensors or NAME.onnx; return its path.

    Another file that stands there is left alone.
    """
    found = fetch(repository, revision)
    out, content = out or Path(repository.rpartition("/")[2] + found.suffix), found.read_bytes()
    if out.exists() and out.read_bytes() != content:
        raise HubError(f"{out} is there already and holds something else: name another file with --out")
    player_in(found)
    write_whole(out, content)
    return out


def push(path: Path, repository: str, private: bool = False) -> str:
    """Put a level or a network, and its card, into a repository, in one commit; return the address.

    A missing repository is made. A level takes the place of a network, and a network that of a level.
    """
    card, content = card_of(path, repository).encode(), path.read_bytes()
    library = _library()
    kept, other = (NETWORK_FILE, FILE) if path.suffix == ONNX else (FILE, NETWORK_FILE)
    with _asking(repository):
        hub = library.HfApi(library_name="spades-env")
        address = hub.create_repo(repository, private=private, exist_ok=True)
        parts = [library.CommitOperationAdd(name, data) for name, data in ((kept, content), (CARD, card))]
        if hub.file_exists(repository, other):
            parts.append(library.CommitOperationDelete(other))
        hub.create_commit(repository, parts, commit_message=f"{path.name}, to play Spades")
    return str(address)


def card_of(path: Path, repository: str) -> str:
    """Return the card of the level or the network in a file."""
    found = player_in(path)
    if isinstance(found, Level):
        return model_card(found, repository)
    return network_card(path.stem, found.temperature, repository)


def player_in(path: Path) -> Any:
    """Return the level or the agent in a file; refuse a file that cannot be played."""
    return _onnx_player().OnnxAgent(path.name, path) if path.suffix == ONNX else Level.read(path)


def _onnx_player() -> Any:
    """Return the module above this one that plays ONNX files."""
    return importlib.import_module("spades_env.agents.onnx_player")


def _library() -> ModuleType:
    return needed("huggingface_hub", NEEDED)


@contextmanager
def _asking(repository: str, revision: str | None = None) -> Iterator[None]:
    """Turn the library's errors into sentences."""
    errors = needed("huggingface_hub.errors", NEEDED)
    at = f" at {revision}" if revision else ""
    try:
        yield
    except errors.RevisionNotFoundError:
        raise HubError(f"the repository {repository} has no revision {revision}") from None
    except errors.GatedRepoError:
        raise HubError(
            f"the repository {repository} is not open to everybody: ask its owner, then `hf auth login`"
        ) from None
    except errors.RepositoryNotFoundError:
        raise HubError(
            f"there is no repository {repository}, or it is private: look at the name, or sign in with `hf auth login`"
        ) from None
    except errors.LocalEntryNotFoundError:
        raise HubError(
            f"hf:{repository} cannot be fetched: the hub is out of reach, and no copy was kept here{at}. "
            "Connect, or name a level's file"
        ) from None
    except errors.EntryNotFoundError:
        raise HubError(
            f"the repository {repository} holds no {FILE} or {NETWORK_FILE}{at}: `spades push` puts one there"
        ) from None
    except errors.HFValidationError as error:
        raise HubError(f"invalid repository {repository!r}: {one_line(error)}") from None
    except errors.HfHubHTTPError as error:
        raise HubError(f"the hub refused: {one_line(error)}. `hf auth login` signs in") from None
    except MissingExtraError:
        raise
    except Exception as error:  # of the network, each version of the library has others
        raise HubError(f"the hub cannot be asked about {repository}: {one_line(error)}") from error
