"""The cluster's HTTP side: who calls, faults, permissions, answers and watches."""

import asyncio
import contextlib
import logging
import ssl
import typing

from aiohttp import web

from devcloud.cluster import discovery, errors, identity, openapi, requests, verbs
from devcloud.cluster.admin import PREFIX, Admin
from devcloud.cluster.core import Cluster
from devcloud.cluster.entries import dump
from devcloud.cluster.identity import MASTERS, User
from devcloud.cluster.rbac import Action
from devcloud.cluster.views import Form
from devcloud.cluster.watching import Watch

_LOG = logging.getLogger(__name__)
_HEALTH = ("/healthz", "/livez", "/readyz")
_LARGEST_BODY = 3 * 1024 * 1024


class Server:
    """Serves one cluster."""

    def __init__(self, cluster: Cluster):
        self._cluster = cluster
        self._watches: set[asyncio.Transport] = set()
        self.admin = Admin(cluster, self._disconnect)

    def application(self) -> web.Application:
        """Return the application; it also keeps the cluster going."""
        app = web.Application(client_max_size=_LARGEST_BODY)
        app.router.add_route("*", "/{path:.*}", self._handle)
        app.cleanup_ctx.append(self._drive)
        return app

    async def _drive(self, _app: web.Application) -> typing.AsyncIterator[None]:
        task = asyncio.create_task(self._cluster.driver.run())
        yield
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        self._disconnect()
        self._cluster.disk.close()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a request, whatever happens."""
        who = identity.ANONYMOUS
        try:
            who = self._user(request)
            response = await self._meet_faults(request, who)
        except errors.ApiError as error:
            response = _refusal(error)
        except web.HTTPRequestEntityTooLarge:
            too_large = "Request entity too large: limit is 3145728"
            response = _refusal(errors.ApiError(413, "RequestEntityTooLarge", too_large))
        except ConnectionResetError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            _LOG.exception("%s %s", request.method, request.path)
            response = _refusal(errors.ApiError(500, "InternalError", f"Internal error occurred: {error!r}"))
        if not request.path.startswith(PREFIX):
            self.admin.note(request.method, request.path_qs, who.name, response.status)
        return response

    def _user(self, request: web.Request) -> User:
        """Return who calls, or for whom they may act."""
        user = self._cluster.identities.caller(request.headers.get("Authorization"))
        other = identity.impersonated(request.headers.items())
        if other is None:
            return user
        kinds = [("users", other.name), *(("groups", group) for group in other.groups if group not in _GIVEN)]
        if other.name.startswith("system:serviceaccount:"):
            kinds = [("serviceaccounts", other.name.rpartition(":")[2])]
        for resource, name in kinds:
            action = Action("impersonate", "", resource, "", name)
            if not self._cluster.permissions.allow(user, action):
                message = f'{resource} "{name}" is forbidden: {action.sentence(user)}'
                raise errors.ApiError(403, "Forbidden", message, {"name": name, "kind": resource})
        return other

    async def _meet_faults(self, request: web.Request, user: User) -> web.StreamResponse:
        if request.path.startswith(PREFIX):
            return await self._steer(request, user)
        fault = self._cluster.faults.hit(request.method, request.path_qs)
        if fault.delay:
            await asyncio.sleep(fault.delay)
        if fault.drop == "before":
            return _dropped(request)
        if fault.status:
            raise fault.error()
        response = await self._answer(request, user)
        return _dropped(request) if fault.drop else response

    async def _steer(self, request: web.Request, user: User) -> web.Response:
        if MASTERS not in user.groups:
            raise errors.ApiError(403, "Forbidden", f'User "{user.name}" cannot steer the cluster')
        body = requests.body(request.content_type, await request.read())
        return _json(200, dump(self.admin.answer(request.method, request.path, body)))

    async def _answer(self, request: web.Request, user: User) -> web.StreamResponse:
        document = self._document(request, user)
        if document is not None:
            return document
        asked = await self._understand(request, user)
        self._permit(user, asked.target.action(), asked)
        if asked.target.verb == "watch":
            return await self._watch(request, asked)
        status, content = verbs.perform(self._cluster, asked)
        response = _json(status, content)
        for warning in asked.call.warnings:
            response.headers.add("Warning", f'299 - "{warning.replace(chr(34), chr(92) + chr(34))}"')
        return response

    def _document(self, request: web.Request, user: User) -> web.Response | None:
        """Return an answer that is about no object, or None."""
        path, registry = request.path, self._cluster.registry
        is_resource = path.count("/") > (2 if path.startswith("/api/") else 3) and path.startswith(("/api/", "/apis/"))
        if is_resource:
            return None
        self._permit(user, Action("get", path=path))
        if path in _HEALTH:
            return web.Response(text="ok")
        if path.startswith(openapi.ROOT):
            place = path.removeprefix(openapi.ROOT).strip("/")
            return _json(200, dump(openapi.document(registry, place) if place else openapi.index(registry)))
        found = discovery.document(registry, path) if request.method == "GET" else None
        if found is None:
            raise errors.nothing_there()
        return _json(200, dump(found))

    async def _understand(self, request: web.Request, user: User) -> verbs.Request:
        target = requests.target(self._cluster.registry, request.method, request.path, request.query)
        agent = request.headers.get("User-Agent", "")
        return verbs.Request(
            target,
            requests.call(user, request.query, agent),
            request.query,
            requests.body(request.content_type if request.can_read_body else "", await request.read()),
            request.content_type,
            Form.wanted(request.headers.get("Accept", "")),
        )

    def _permit(self, user: User, action: Action, asked: verbs.Request | None = None) -> None:
        if self._cluster.permissions.allow(user, action):
            return
        if asked is None:
            raise errors.ApiError(403, "Forbidden", f"forbidden: {action.sentence(user)}", {})
        raise errors.forbidden(asked.target.resource, action.name, action.sentence(user))

    async def _watch(self, request: web.Request, asked: verbs.Request) -> web.StreamResponse:
        cluster, resource = self._cluster, asked.target.resource
        matches = verbs.matches(cluster, asked)
        watch = Watch(cluster.store, cluster.clock, resource, matches, asked.form, asked.query)
        response = web.StreamResponse(headers={"Content-Type": requests.JSON})
        await response.prepare(request)
        transport = request.transport
        if transport is None:
            return response
        self._watches.add(transport)
        try:
            async for lines in watch.events():
                await response.write(lines)
        except ConnectionResetError:
            _LOG.debug("a watcher of %s has gone", resource.title)
        finally:
            self._watches.discard(transport)
        return response

    def _disconnect(self) -> int:
        """Close the connection of every watcher; returns how many."""
        watches = list(self._watches)
        for transport in watches:
            transport.abort()
        return len(watches)


# Groups that everybody gets who is somebody.
_GIVEN = {identity.AUTHENTICATED}


def _json(status: int, content: bytes) -> web.Response:
    return web.Response(status=status, body=content, content_type=requests.JSON)


def _refusal(error: errors.ApiError) -> web.Response:
    response = _json(error.code, dump(error.status()))
    if error.details and "retryAfterSeconds" in error.details:
        response.headers["Retry-After"] = str(error.details["retryAfterSeconds"])
    return response


def _dropped(request: web.Request) -> web.Response:
    """Close the connection; the response goes nowhere."""
    if request.transport:
        request.transport.abort()
    return web.Response(status=500)


async def serve(cluster: Cluster, host: str, port: int, tls: ssl.SSLContext) -> tuple[web.AppRunner, int]:
    """Start to serve, and return what stops it and the port, which is chosen where 0 was asked for."""
    runner = web.AppRunner(Server(cluster).application(), access_log=None, keepalive_timeout=300, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, host, port, ssl_context=tls).start()
    return runner, runner.addresses[0][1]
