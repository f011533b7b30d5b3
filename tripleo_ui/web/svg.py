"""Drawings made on the server: an overcloud as roles and nodes, each with its state as icon and word.

Colours are the style sheet's; text and lines take ``currentColor``. A drawing holds no link, so that it is one image
to a screen reader, which gets the sentence of ``summary``; the page has the same as a table.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tripleo_ui.web.badges import BUSY, FAILED, IDLE, OK, WARNING, Badge

_SPACE = 1080
_GAP = 18
_WIDEST, _NARROWEST = 240, 164
_TILE, _TILE_GAP = 44, 8
_ROOMY = 8
_DOT = 24
_DOTS = 120
_CLOUD = 52
_BRANCH = 34
_HEADER = 44


@dataclass(frozen=True)
class Node:
    """A node of a role; ``detail`` is a second, smaller line."""

    label: str
    badge: Badge
    detail: str = ""


@dataclass(frozen=True)
class Group:
    """A role with its nodes."""

    label: str
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Drawing:
    """An overcloud."""

    label: str
    badge: Badge
    groups: tuple[Group, ...]

    @property
    def summary(self) -> str:
        """The drawing in a sentence."""
        roles = [f"{group.label}: {states(group.nodes)}" for group in self.groups]
        return _("%(name)s is %(state)s. %(roles)s") % {
            "name": self.label,
            "state": self.badge.word.lower(),
            "roles": ". ".join(roles),
        }


def states(nodes: Iterable[Node]) -> str:
    """How many nodes are in which state, in words."""
    counted = Counter(str(node.badge.word).lower() for node in nodes)
    return ", ".join(f"{number} {word}" for word, number in counted.most_common()) or _("no nodes")


def draw(drawing: Drawing) -> SafeString:
    """The drawing as an ``svg`` element."""
    count = max(1, len(drawing.groups))
    column = min(_WIDEST, max(_NARROWEST, (_SPACE - _GAP * (count - 1)) // count))
    width = max(count * column + (count - 1) * _GAP, _WIDEST)
    left = (width - (count * column + (count - 1) * _GAP)) // 2
    top = _CLOUD + _BRANCH
    spots = [(left + index * (column + _GAP), group) for index, group in enumerate(drawing.groups)]
    height = top + max((_group_height(group, column) for group in drawing.groups), default=0)
    return format_html(
        '<svg class="tu-drawing" role="img" aria-label="{}" width="{w}" height="{h}" viewBox="-1 -1 {vw} {vh}" '
        'xmlns="http://www.w3.org/2000/svg">{}{}{}{}</svg>',
        drawing.summary,
        mark_safe(SYMBOLS),  # noqa: S308 - a constant
        _branches(width, [x + column // 2 for x, _group in spots]),
        _cloud(drawing, width),
        format_html_join("", "{}", ((_group(group, x, top, column),) for x, group in spots)),
        w=width + 2,
        h=height + 2,
        vw=width + 2,
        vh=height + 2,
    )


def _cloud(drawing, width):
    box = _WIDEST
    return format_html(
        '<g transform="translate({} 0)" class="tu-d-cloud is-{}"><rect width="{}" height="{}" rx="6"/>{}'
        '<text x="42" y="23" class="tu-d-name">{}</text><text x="42" y="40" class="tu-d-small">{}</text></g>',
        (width - box) // 2,
        drawing.badge.tone,
        box,
        _CLOUD,
        icon(drawing.badge.tone, 14, 17),
        short(drawing.label, box - 60, 8.2),
        drawing.badge.word,
    )


def _branches(width, centres):
    middle = width // 2
    bend = _CLOUD + _BRANCH // 2
    path = "".join(f"M{middle} {_CLOUD}V{bend}H{centre}V{_CLOUD + _BRANCH}" for centre in centres)
    return format_html('<path class="tu-d-line" d="{}"/>', path)


def _group(group, x, y, width):
    roomy = len(group.nodes) <= _ROOMY
    return format_html(
        '<g transform="translate({} {})"><rect class="tu-d-role" width="{}" height="{}" rx="6"/>'
        '<text x="12" y="20" class="tu-d-name">{}</text><text x="12" y="36" class="tu-d-small">{}</text>{}</g>',
        x,
        y,
        width,
        _group_height(group, width),
        short(group.label, width - 24, 8.2),
        ngettext("%(n)s node", "%(n)s nodes", len(group.nodes)) % {"n": len(group.nodes)},
        _tiles(group.nodes, width) if roomy else _dots(group.nodes, width),
    )


def _group_height(group, width):
    count = len(group.nodes)
    if count <= _ROOMY:
        return _HEADER + count * (_TILE + _TILE_GAP) + (_TILE_GAP if count else 4)
    rows = -(-min(count, _DOTS) // _per_row(width))
    lines = len({node.badge.word for node in group.nodes})
    return _HEADER + _TILE_GAP + rows * _DOT + 18 * lines + 14


def _tiles(nodes, width):
    rows = (
        (
            _HEADER + _TILE_GAP // 2 + index * (_TILE + _TILE_GAP),
            node.badge.tone,
            _tooltip(node),
            width - 16,
            _TILE,
            icon(node.badge.tone, 10, 14),
            short(node.label, width - 56, 6.8),
            short(" · ".join(filter(None, (str(node.badge.word), node.detail))), width - 56, 6),
        )
        for index, node in enumerate(nodes)
    )
    return format_html_join(
        "",
        '<g transform="translate(8 {})" class="tu-d-node is-{}"><title>{}</title>'
        '<rect width="{}" height="{}" rx="4"/>{}'
        '<text x="34" y="19">{}</text><text x="34" y="34" class="tu-d-small">{}</text></g>',
        rows,
    )


def _dots(nodes, width):
    """Many nodes: an icon each as far as they fit, those in trouble first, and the counts in words."""
    order = {FAILED: 0, WARNING: 1, BUSY: 2, OK: 3, IDLE: 4}
    per_row = _per_row(width)
    shown = sorted(nodes, key=lambda node: order[node.badge.tone])[:_DOTS]
    dots = format_html_join(
        "",
        '<g class="tu-d-dot is-{}"><title>{}</title>{}</g>',
        (
            (
                node.badge.tone,
                _tooltip(node),
                icon(node.badge.tone, 12 + index % per_row * _DOT, _HEADER + 6 + index // per_row * _DOT),
            )
            for index, node in enumerate(shown)
        ),
    )
    bottom = _HEADER + 6 + -(-len(shown) // per_row) * _DOT + 14
    counted = Counter(str(node.badge.word) for node in nodes).most_common()
    words = format_html_join(
        "",
        '<text x="12" y="{}" class="tu-d-small">{}</text>',
        ((bottom + index * 18, f"{number} {word.lower()}") for index, (word, number) in enumerate(counted)),
    )
    return format_html("{}{}", dots, words)


def _per_row(width):
    return (width - 20) // _DOT


def _tooltip(node):
    return ", ".join(filter(None, (node.label, str(node.badge.word).lower(), node.detail)))


def icon(tone: str, x: int, y: int) -> SafeString:
    """A tone's icon, 16 wide; the drawing must hold ``SYMBOLS``."""
    return format_html('<use href="#tu-icon-{}" x="{}" y="{}" width="16" height="16" class="tu-d-icon"/>', tone, x, y)


def short(text, space: float, per_letter: float) -> str:
    """As much of a text as fits; SVG cuts nothing by itself."""
    text = str(text)
    fits = int(space // per_letter)
    return text if len(text) <= fits else text[: max(1, fits - 1)] + "…"


_RING = '<circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor" stroke-width="1.8"'


def _symbol(tone, body):
    return f'<symbol id="tu-icon-{tone}" viewBox="0 0 16 16">{body}</symbol>'


def _mark(path):
    return f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/>'


#: The icons, defined once in a drawing.
SYMBOLS = "<defs>{}</defs>".format(
    "".join(
        (
            _symbol(OK, _RING + "/>" + _mark("M5 8.2 7.2 10.4 11.2 5.8")),
            _symbol(FAILED, _RING + "/>" + _mark("M5.6 5.6 10.4 10.4M10.4 5.6 5.6 10.4")),
            _symbol(BUSY, _RING + ' stroke-dasharray="30 11" stroke-linecap="round"/>' + _mark("M8 5V8L10 9.4")),
            _symbol(WARNING, _mark("M8 1.8 14.6 13.6H1.4ZM8 6.2V9.4M8 11.6V11.7")),
            _symbol(IDLE, _RING + ' stroke-dasharray="2.5 2.6"/>'),
        )
    )
)
