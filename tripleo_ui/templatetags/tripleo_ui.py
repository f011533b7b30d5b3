"""Template tags: a state's badge, a moment in time."""

from datetime import UTC, datetime

from django import template
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html

from tripleo_ui.web import badges
from tripleo_ui.web.badges import Badge

register = template.Library()


@register.simple_tag
def badge(state: Badge) -> str:
    """A state as icon and word."""
    return format_html(
        '<span class="tu-badge is-{}"><span class="fa {}" aria-hidden="true"></span> {}</span>',
        state.tone,
        state.icon,
        state.word,
    )


@register.simple_tag
def stack_badge(status: str) -> str:
    """The state of a stack or of one of its resources, as Heat calls it, as icon and word."""
    return badge(badges.of_stack(status))


@register.simple_tag
def moment(when) -> str:
    """A time as ``<time>`` in UTC, which the page's script words as "3 minutes ago".

    Takes a datetime or Heat's ISO text; one without a zone is UTC.
    """
    parsed = parse_datetime(when) if isinstance(when, str) else when
    if not isinstance(parsed, datetime):
        return "-"
    known = parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    return format_html(
        '<time class="tu-moment" datetime="{}">{} UTC</time>',
        known.isoformat(timespec="seconds"),
        known.strftime("%Y-%m-%d %H:%M"),
    )
