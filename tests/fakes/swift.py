"""Containers and versioned objects in memory."""

import hashlib
import itertools


class Swift:
    """What ``tripleo_ui.services.swift`` calls, answered as Swift 2.38 does."""

    def __init__(self):
        self.containers = {}
        self._clock = itertools.count(1)

    def routes(self):
        return [
            ("GET", r"/", self._account),
            ("PUT", r"/([^/]+)", self._create),
            ("POST", r"/([^/]+)", self._mark),
            ("GET", r"/([^/]+)", self._list),
            ("DELETE", r"/([^/]+)", self._remove),
            ("PUT", r"/([^/]+)/(.+)", self._put),
            ("GET", r"/([^/]+)/(.+)", self._get),
            ("DELETE", r"/([^/]+)/(.+)", self._delete),
        ]

    def _answer(self, *arguments):
        from tests.fakes.cloud import Answer

        return Answer(*arguments)

    def _container(self, name):
        if name not in self.containers:
            raise self._answer(404, b"<html><h1>Not Found</h1></html>")
        return self.containers[name]

    def _account(self, call):
        marker, prefix = call.one("marker"), call.one("prefix")
        names = [name for name in sorted(self.containers) if name.startswith(prefix) and name > marker]
        return [{"name": name} for name in names[: int(call.one("limit", "10000"))]]

    def _create(self, call, name):
        found = self.containers.setdefault(name, {"meta": {}, "objects": {}})
        found["meta"].update(_meta(call.headers))
        return self._answer(201)

    def _mark(self, call, name):
        self._container(name)["meta"].update(_meta(call.headers))
        return self._answer(204)

    def _list(self, call, name):
        container = self._container(name)
        if "versions" in call.query:
            listed = [
                {"name": key, "version_id": version["id"]}
                for key, versions in sorted(container["objects"].items())
                for version in versions
            ]
            return self._answer(200, listed[: int(call.one("limit", "10000"))])
        names = [
            key
            for key, versions in sorted(container["objects"].items())
            if versions and versions[-1]["content"] is not None
        ]
        names = [key for key in names if key.startswith(call.one("prefix"))]
        if call.one("reverse") == "true":
            names.reverse()
        headers = {f"X-Container-Meta-{key}": value for key, value in container["meta"].items()}
        return self._answer(200, [{"name": key} for key in names[: int(call.one("limit", "10000"))]], headers)

    def _remove(self, _call, name):
        container = self._container(name)
        if any(versions for versions in container["objects"].values()):
            return self._answer(409, b"")
        del self.containers[name]
        return self._answer(204)

    def _put(self, call, name, key):
        versions = self._container(name)["objects"].setdefault(key, [])
        current = versions[-1] if versions else None
        if call.headers.get("If-None-Match") == "*" and current and current["content"] is not None:
            return self._answer(412, b"")
        promoted = call.one("version-id")
        if promoted:
            found = [version for version in versions if version["id"] == promoted]
            if not found:
                return self._answer(404, b"")
            versions.remove(found[0])
            versions.append(found[0])
            return self._answer(201)
        etag = hashlib.md5(call.body).hexdigest()
        version = {"id": f"{next(self._clock)}.0", "content": call.body, "etag": etag}
        versions.append(version)
        return self._answer(201, b"", {"Etag": etag, "X-Object-Version-Id": version["id"]})

    def _get(self, call, name, key):
        versions = self._container(name)["objects"].get(key, [])
        wanted = call.one("version-id")
        found = [version for version in versions if version["id"] == wanted] if wanted else versions[-1:]
        if not found or found[0]["content"] is None:
            return self._answer(404, b"")
        return self._answer(200, found[0]["content"], {"Etag": found[0]["etag"]})

    def _delete(self, call, name, key):
        versions = self._container(name)["objects"].get(key)
        if not versions:
            return self._answer(404, b"")
        wanted = call.one("version-id")
        if wanted:
            versions[:] = [version for version in versions if version["id"] != wanted]
        else:
            versions.append({"id": f"{next(self._clock)}.0", "content": None, "etag": ""})
        return self._answer(204)


def _meta(headers):
    start = "x-container-meta-"
    return {key.lower().removeprefix(start): value for key, value in headers.items() if key.lower().startswith(start)}
