"""A chain of states drawn on the server: which were reached, which is at hand, what was taken back.

Each state has its icon, its name and a word; what was taken back is an arrow of its own below the chain.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tripleo_ui.web import svg
from tripleo_ui.web.badges import Badge

_WIDTH, _HEIGHT = 128, 62
_ACROSS, _DOWN = 22, 18
_RETURN = 40
_TALL_WIDTH, _TALL_HEIGHT = 236, 46
_SIDE = 44


@dataclass(frozen=True)
class Link:
    """A state of the chain; ``detail`` is how long it took, ``current`` whether work is done on it now."""

    label: str
    badge: Badge
    detail: str = ""
    current: bool = False

    @property
    def words(self) -> str:
        """What stands below the name."""
        return " · ".join(filter(None, (str(self.badge.word), self.detail)))


@dataclass(frozen=True)
class Chain:
    """States in their order. ``back_from`` is the place of the state from which all was taken back, or is now.

    ``back_words`` says which of both; without it nothing is taken back.
    """

    label: str
    links: tuple[Link, ...]
    back_words: str = ""
    back_from: int = 0

    @property
    def summary(self) -> str:
        """The drawing in sentences."""
        said = "; ".join(f"{link.label}: {link.words}" for link in self.links)
        told = _("%(name)s. %(states)s.") % {"name": self.label, "states": said}
        return f"{told} {self.back_words}." if self.back_words else told


def draw(chain: Chain) -> SafeString:
    """The chain twice, across and down; the style sheet shows the one that the window has room for."""
    return format_html("{}{}{}", _shared(), _wide(chain), _tall(chain))


def _shared():
    """Icons and the point of an arrow, which both drawings use: an id can be on a page once."""
    return format_html(
        '<svg class="tu-chain-parts" width="0" height="0" aria-hidden="true" xmlns="http://www.w3.org/2000/svg">{}'
        '<defs><marker id="tu-point" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        'markerUnits="userSpaceOnUse" orient="auto"><path class="tu-d-point" d="M0 0 8 4 0 8Z"/></marker></defs></svg>',
        mark_safe(svg.SYMBOLS),  # noqa: S308 - a constant
    )


def _wide(chain):
    count = len(chain.links)
    width = count * _WIDTH + (count - 1) * _ACROSS
    places = [(index * (_WIDTH + _ACROSS), 0) for index in range(count)]
    lines = [f"M{x + _WIDTH} {_HEIGHT // 2}h{_ACROSS - 2}" for x, _y in places[:-1]]
    height = _HEIGHT + (_RETURN if chain.back_words else 0)
    links = zip(chain.links, places, strict=True)
    body = format_html_join("", "{}", ((_wide_link(link, *place),) for link, place in links))
    return _drawing(chain, "is-wide", width, height, lines, body, _wide_return(chain, places))


def _tall(chain):
    count = len(chain.links)
    height = count * _TALL_HEIGHT + (count - 1) * _DOWN
    places = [(0, index * (_TALL_HEIGHT + _DOWN)) for index in range(count)]
    lines = [f"M{_TALL_WIDTH // 2} {y + _TALL_HEIGHT}v{_DOWN - 2}" for _x, y in places[:-1]]
    width = _TALL_WIDTH + (_SIDE if chain.back_words else 0)
    links = zip(chain.links, places, strict=True)
    body = format_html_join("", "{}", ((_tall_link(link, *place),) for link, place in links))
    return _drawing(chain, "is-tall", width, height, lines, body, _tall_return(chain, places))


def _drawing(chain, shape, width, height, lines, body, back) -> SafeString:
    return format_html(
        '<svg class="tu-drawing tu-chain {shape}" role="img" aria-label="{label}" width="{w}" height="{h}" '
        'viewBox="-2 -2 {w} {h}" xmlns="http://www.w3.org/2000/svg">{lines}{body}{back}</svg>',
        shape=shape,
        label=chain.summary,
        w=width + 4,
        h=height + 4,
        lines=_arrows(lines),
        body=body,
        back=back,
    )


def _arrows(paths: Iterable[str]):
    return format_html_join(
        "", '<path class="tu-d-arrow" d="{}" marker-end="url(#tu-point)"/>', ((path,) for path in paths)
    )


def _wide_link(link, x, y):
    return format_html(
        '<g transform="translate({} {})" class="tu-d-node is-{}{}"><title>{}</title>'
        '<rect width="{}" height="{}" rx="6"/>'
        '<text x="10" y="23" class="tu-d-state">{}</text>{}<text x="31" y="48" class="tu-d-small">{}</text></g>',
        x,
        y,
        link.badge.tone,
        " is-current" if link.current else "",
        f"{link.label}: {link.words}",
        _WIDTH,
        _HEIGHT,
        svg.short(link.label, _WIDTH - 14, 7),
        svg.icon(link.badge.tone, 9, 36),
        svg.short(link.words, _WIDTH - 36, 5.9),
    )


def _tall_link(link, x, y):
    return format_html(
        '<g transform="translate({} {})" class="tu-d-node is-{}{}"><rect width="{}" height="{}" rx="6"/>{}'
        '<text x="38" y="20" class="tu-d-state">{}</text><text x="38" y="36" class="tu-d-small">{}</text></g>',
        x,
        y,
        link.badge.tone,
        " is-current" if link.current else "",
        _TALL_WIDTH,
        _TALL_HEIGHT,
        svg.icon(link.badge.tone, 12, 15),
        svg.short(link.label, _TALL_WIDTH - 46, 7.2),
        svg.short(link.words, _TALL_WIDTH - 46, 6),
    )


def _wide_return(chain, places):
    if not chain.back_words:
        return ""
    end, start = places[0][0] + _WIDTH // 2, places[chain.back_from][0] + _WIDTH // 2
    path = f"M{start} {_HEIGHT}v14H{end}v-12" if start > end else f"M{end + 14} {_HEIGHT}v14h-14v-12"
    return format_html(
        '<g class="tu-d-back">{}<text x="{}" y="{}" class="tu-d-small">{}</text></g>',
        _arrows([path]),
        end + 8,
        _HEIGHT + 31,
        chain.back_words,
    )


def _tall_return(chain, places):
    if not chain.back_words:
        return ""
    end, start = places[0][1] + _TALL_HEIGHT // 2, places[chain.back_from][1] + _TALL_HEIGHT // 2
    path = f"M{_TALL_WIDTH} {start}h14V{end}h-12" if start > end else f"M{_TALL_WIDTH} {end + 10}h14v-10h-12"
    place = f"translate({_TALL_WIDTH + 32} {end}) rotate(90)"
    return format_html(
        '<g class="tu-d-back">{}<text transform="{}" class="tu-d-small">{}</text></g>',
        _arrows([path]),
        place,
        chain.back_words,
    )
