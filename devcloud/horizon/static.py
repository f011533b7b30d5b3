"""Static files: collected and compressed once per state of their sources."""

import hashlib
import importlib.metadata
import shutil
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
    stamp.write_text(wanted)
    return True
