"""Static files: collected and compressed once per state of their sources."""

import hashlib
import importlib.metadata
import shutil
from collections.abc import Iterable
from pathlib import Path

from devcloud.layout import REPOSITORY, Layout

SETTINGS_FOLDER = Path(__file__).parent
_SOURCES = ("static", "templates", "tripleo_ui/enabled", "devcloud/horizon")
_PACKAGES = ("horizon", "heat-dashboard", "ironic-ui", "django-compressor", "Django")


def key(layout: Layout) -> str:
    """Return a hash of everything that the compressed files follow from."""
    digest = hashlib.sha256(f"{layout.peers}".encode())
    for name in _PACKAGES:
        digest.update(f"{name} {importlib.metadata.version(name)}\n".encode())
    for source in _SOURCES:
        for file in sorted((REPOSITORY / source).rglob("*")):
            if file.is_file() and file.suffix != ".pyc":
                digest.update(str(file.relative_to(REPOSITORY)).encode() + file.read_bytes())
    return digest.hexdigest()


def build(layout: Layout) -> bool:
    """Collect and compress if the sources changed since the last time; say whether there was work.

    Django's settings must be importable.
    """
    stamp = layout.root / "horizon" / "static.key"
    wanted = key(layout)
    if stamp.exists() and stamp.read_text() == wanted:
        return False
    import django  # noqa: PLC0415
    from django.conf import settings  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    stamp.unlink(missing_ok=True)
    shutil.rmtree(settings.STATIC_ROOT, ignore_errors=True)
    django.setup()
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("compress", force=True, verbosity=0)
    _compile("dark", Path(settings.STATIC_ROOT), settings.HORIZON_CONFIG.get("scss_files", ()))
    stamp.write_text(wanted)
    return True


def _compile(theme: str, root: Path, sources: Iterable[str]) -> None:
    """Compile the style sheets of one theme to ``<source>.<theme>.css`` beside each source.

    Horizon's offline compression keeps one result per page for all themes, that of the default theme.
    """
    from horizon import themes  # noqa: PLC0415
    from horizon.utils.scss_filter import ScssFilter  # noqa: PLC0415

    themes._local.theme = theme  # noqa: SLF001 - where the filter looks for the theme
    for source in ("dashboard/scss/themes.scss", *sources):
        file = root / source
        css = ScssFilter(file.read_text(encoding="utf-8"), filename=str(file)).input()
        file.with_suffix(f".{theme}.css").write_text(css, encoding="utf-8")
    del themes._local.theme  # noqa: SLF001
