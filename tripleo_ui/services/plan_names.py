"""Names of plans and of their files, as far as Swift's paths are concerned; planning has the stricter rule."""

from collections.abc import Iterable

from tripleo_ui.services.errors import ServiceError

# Where the store keeps its own objects among a plan's files.
OURS = ".plan/"
_CONTAINER_LIMIT = 256
_FILE_LIMIT = 1024


def container_name(prefix: str, name: str) -> str:
    """The name of a plan's container.

    Raises:
        ServiceError: no container can have it.
    """
    full = prefix + name
    if not name or "/" in name or len(full.encode()) > _CONTAINER_LIMIT:
        raise ServiceError("swift", "open plan", f"{name!r} is no name of a plan", next_step="Choose another name.")
    return full


def check_files(names: Iterable[str]) -> None:
    """Refuse names that lead out of the container, or to what the store itself keeps there.

    Raises:
        ServiceError: one of them does.
    """
    for name in names:
        strange = {"", ".", ".."} & set(name.split("/"))
        if strange or name.startswith(OURS) or len(name.encode()) > _FILE_LIMIT:
            raise ServiceError(
                "swift", "save plan", f"{name!r} is no name of a file in a plan", next_step="Rename the file."
            )
