"""Style sheets: what libsass and Horizon's compressor do to them must not cost a rule."""

from pathlib import Path

import pytest
import sass

SHEETS = sorted((Path(__file__).parents[2] / "static" / "tripleo_ui" / "scss").glob("*.scss"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_sheets_are_ascii(sheet):
    """Any other letter makes libsass begin with a byte order mark, which then swallows the first rule."""
    assert sheet.read_text().isascii()


def test_escapes_stay_escapes():
    assert sass.compile(string='a::before { content: "\\2713"; }', output_style="compressed").isascii()
