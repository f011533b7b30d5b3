"""Which channels are told of what, as the settings say."""

from importlib import metadata

from tripleo_ui.config import settings
from tripleo_ui.orchestration import states
from tripleo_ui.orchestration.notify import GROUP, Channel, NotDelivered
from tripleo_ui.orchestration.states import State

ENDED = "ended"
_MOVES = frozenset({"submit"}).union(*states.TRANSITIONS.values())


def _name(state: State) -> str:
    return state.lower().replace("_", "-")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def channels() -> tuple[str, ...]:
    """The names of the channels in use."""
    return _listed(settings.notify)


def wanted(kind: str, state: State) -> bool:
    """Whether the channels are told of an event: of moves into the states that are named, and of nothing else."""
    topics = {_name(state)} | ({ENDED} if state in states.ENDED else set())
    return kind in _MOVES and not topics.isdisjoint(_listed(settings.notify_events))


def load(name: str) -> Channel:
    """A channel, ready to send.

    Raises:
        NotDelivered: there is none of that name, or it cannot be made.
    """
    for entry in metadata.entry_points(group=GROUP, name=name):
        try:
            channel: Channel = entry.load()()
        except Exception as error:
            raise NotDelivered(f"the channel cannot be loaded: {type(error).__name__}") from error
        return channel
    raise NotDelivered("no installed package has a channel of that name")


def problems() -> list[str]:
    """What is wrong with the settings, in sentences."""
    found = []
    for name in channels():
        try:
            channel = load(name)
        except NotDelivered as error:
            found.append(f"NOTIFY names {name}: {error}.")
        else:
            found += getattr(channel, "problems", list)()
    if channels():
        known = {ENDED, *map(_name, State)}
        unknown = [word for word in _listed(settings.notify_events) if word not in known]
        found += [f"NOTIFY_EVENTS names {word}, which is no state." for word in unknown]
    return found
