"""Alarms over several metrics: Aodh 23 sends an operation that Gnocchi 4.7 refuses.

Aodh writes ``["aggregate", "mean", ["metric", a, b], ["metric", c, d]]``; Gnocchi takes one ``metric`` operand.
"""

import typing

from gnocchiclient.v1 import aggregates


def join_metrics(operations: typing.Any) -> typing.Any:
    """Return the operation with all its metrics in one operand; anything else is returned as it is."""
    if isinstance(operations, list) and operations[:1] == ["aggregate"] and len(operations) > 3:
        return [*operations[:2], ["metric", *(operand[1:] for operand in operations[2:])]]
    return operations


def install() -> None:
    """Make Gnocchi's client of this process join the metrics."""
    upstream = aggregates.AggregatesManager.fetch

    def fetch(self: typing.Any, operations: typing.Any, *args: typing.Any, **kw: typing.Any) -> typing.Any:
        return upstream(self, join_metrics(operations), *args, **kw)

    aggregates.AggregatesManager.fetch = fetch
