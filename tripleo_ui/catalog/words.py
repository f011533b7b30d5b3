"""Readable names from the names of parameters."""

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[A-Z]+")
_WRITTEN = """
API AWS CA CIDR CN CPU CRD DB DNS DR FQDN GID GitHub GitLab GUI HTTP HTTPS ID IP JDBC JMX JSON JVM JWT LDAP MongoDB MQ
MySQL NFS NodeJS OAuth OpenShift OS PostgreSQL PV PVC RAM RBAC RHEL S3 SA SCC SQL SSH SSL SSO TCP TLS TTL UDP UI UID
URI URL UUID VM WebSocket XML YAML
"""
_AS_WRITTEN = {word.lower(): word for word in _WRITTEN.split()}


def readable(name: str) -> str:
    """A name for a person.

    >>> readable("MYSQL_ROOT_PASSWORD"), readable("gitRepoUrl"), readable("DB_2_HOST")
    ('MySQL root password', 'Git repo URL', 'DB 2 host')
    """
    words = [_AS_WRITTEN.get(word.lower(), word.lower()) for word in _WORD.findall(name)]
    text = " ".join(words) or name
    return text if words and words[0] in _AS_WRITTEN.values() else text[:1].upper() + text[1:]


def tokens(name: str) -> list[str]:
    """The parts of a name, in capitals.

    >>> tokens("MYSQL_ROOT_PASSWORD"), tokens("gitRepoUrl")
    (['MYSQL', 'ROOT', 'PASSWORD'], ['GIT', 'REPO', 'URL'])
    """
    parts = name.split("_") if "_" in name else _WORD.findall(name)
    return [part.upper() for part in parts if part]
