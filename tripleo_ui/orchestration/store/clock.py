"""The database's clock, which all conductors share: their own clocks may differ by more than a lease."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

_EXPRESSIONS = {
    "sqlite": "((julianday('now') - 2440587.5) * 86400.0)",
    "postgresql": "EXTRACT(EPOCH FROM clock_timestamp())::double precision",
    "mysql": "UNIX_TIMESTAMP(SYSDATE(6))",
    "mariadb": "UNIX_TIMESTAMP(SYSDATE(6))",
}


class clock(FunctionElement[float]):  # noqa: N801 - it reads as the SQL function that it is
    """Seconds since 1970 in UTC, when the statement runs."""

    type = sa.Double()
    inherit_cache = True


@compiles(clock)
def _compile(_element: clock, compiler: Any, **_more: Any) -> str:
    return _EXPRESSIONS[compiler.dialect.name]
