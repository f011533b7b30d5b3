"""The fault proxy against a small service on loopback; no cloud is needed."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psutil
import pytest
import requests

from tests.fault_proxy import FaultProxy, cut, delay, drop, hang, hold, status

BIG = bytes(range(256)) * (1 << 15)  # 8 MiB


class Service(BaseHTTPRequestHandler):
    """Answers with the request's body; the path says how. The server's ``seen`` has (method, path, headers, body)."""

    protocol_version = "HTTP/1.1"

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.answer
        raise AttributeError(name)

    def answer(self):
        body = self.received()
        self.server.seen.append((self.command, self.path, self.headers, body))
        code = int(self.path.removeprefix("/status/")) if self.path.startswith("/status/") else 200
        self.send_response(code)
        self.send_header("X-Twice", "one")
        self.send_header("X-Twice", "two")
        if self.path == "/chunked":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in (body[:7], body[7:]):
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
        elif self.path == "/unstated":
            self.end_headers()
            self.wfile.write(body)
        else:
            self.send_header("Content-Length", str(len(body) + 5 * (self.path == "/truncated")))
            self.end_headers()
            if self.command != "HEAD" and code not in (204, 304):
                self.wfile.write(body)
        self.close_connection = True

    def received(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size + 2)[:-2]
        self.rfile.readline()
        return body

    def log_message(self, *_args):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Service)
        self.seen = []
        self.port = self.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def done(self, method="POST"):
        return [path for made, path, *_ in self.seen if made == method]


@pytest.fixture
def service():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)


@pytest.fixture
def proxy(fault_proxy, monkeypatch):
    for name, value in fault_proxy.environment().items():
        monkeypatch.setenv(name, value)
    return fault_proxy


@pytest.fixture
def http(proxy):
    """What services are called with: requests as it comes, told of the proxy by the environment alone."""
    with requests.Session() as session:
        session.request = lambda *args, **more: requests.Session.request(session, *args, **{"timeout": 20} | more)
        yield session


@pytest.fixture
def background():
    with ThreadPoolExecutor() as pool:
        yield pool


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "COPY", "REPORT"])
def test_any_method_arrives_with_its_query_headers_and_body(method, http, service, proxy):
    answer = http.request(
        method, f"{service.url}/a%2Fb//c?x=1&y=%20", data=b"some\r\n\r\nbody", headers={"X-Mine": "1"}
    )
    ((seen, path, headers, body),) = service.seen
    assert (seen, path, headers["X-Mine"], body) == (method, "/a%2Fb//c?x=1&y=%20", "1", b"some\r\n\r\nbody")
    assert headers["Host"] == f"127.0.0.1:{service.port}"
    assert answer.content == b"some\r\n\r\nbody"
    assert answer.headers["X-Twice"] == "one, two"


@pytest.mark.parametrize("path", ["/", "/chunked", "/unstated"])
def test_large_bodies_pass_unchanged_however_their_length_is_stated(path, http, service):
    assert http.post(service.url + path, data=BIG).content == BIG
    assert http.post(service.url + path, data=iter([BIG[:9], BIG[9:]])).content == BIG
    assert [len(body) for *_, body in service.seen] == [len(BIG)] * 2


@pytest.mark.parametrize(("method", "path"), [("HEAD", "/"), ("GET", "/status/204"), ("GET", "/status/304")])
def test_an_answer_without_a_body_leaves_the_connection_usable(method, path, http, service, proxy):
    assert http.request(method, service.url + path, data=b"12345").headers["Content-Length"] == "5"
    assert http.get(f"{service.url}/next", data=b"next").content == b"next"
    assert open_sockets(proxy) == 1


def test_a_service_that_breaks_off_or_is_away_looks_so(http, service):
    with pytest.raises(requests.exceptions.ChunkedEncodingError, match="5 more expected"):
        http.get(f"{service.url}/truncated")
    with socket.create_server(("127.0.0.1", 0)) as unused:
        away = unused.getsockname()[1]
    with pytest.raises(requests.ConnectionError):
        http.get(f"http://127.0.0.1:{away}/")


def test_fifty_calls_at_once_each_get_their_own_answer(proxy, service, background):
    release = threading.Event()
    with proxy.fault(hold(release), port=service.port) as fault, ThreadPoolExecutor(50) as pool:
        calls = [pool.submit(requests.post, service.url, data=str(i), timeout=20) for i in range(50)]
        fault.wait(count=50)
        assert not service.seen
        release.set()
        assert [call.result().text for call in calls] == [str(i) for i in range(50)]
    assert len(service.seen) == 50
    eventually(lambda: not sockets_to(service))


def test_drop_passes_on_exactly_once_and_the_caller_does_not_know(http, service, proxy):
    http.get(service.url)  # a connection that is kept alive tempts a client to try again
    with proxy.fault(drop(), port=service.port, method="POST", path=r"/volumes$", times=1) as fault:
        with pytest.raises(requests.ConnectionError):
            http.post(f"{service.url}/v3/volumes?x=1", data=b"{}")
        call = fault.wait(served=True)
    assert service.done() == ["/v3/volumes?x=1"]
    assert (call.action, call.served, call.status) == ("drop", 200, None)
    assert http.post(f"{service.url}/v3/volumes", data=b"again").content == b"again"


def test_cut_passes_nothing_on(http, service, proxy):
    http.get(service.url)
    with proxy.fault(action=cut(), port=service.port), pytest.raises(requests.ConnectionError):
        http.post(service.url)
    assert service.done() == []
    assert [(call.method, call.action, call.status) for call in proxy.calls()] == [
        ("GET", "", 200),
        ("POST", "cut", None),
    ]


def test_status_is_answered_without_the_service_or_after_it(http, service, proxy):
    with proxy.fault(status(503, {"error": "busy"}), method="POST", times=1), proxy.fault(status(409), method="HEAD"):
        refused = http.post(service.url)
        assert (refused.status_code, refused.reason, refused.json()) == (503, "Service Unavailable", {"error": "busy"})
        assert http.head(service.url).status_code == 409
        assert service.seen == []
    with proxy.fault(status(504, "late", after=True)) as fault:
        assert http.post(f"{service.url}/made").text == "late"
    assert service.done() == ["/made"]
    assert (fault.calls[0].served, fault.calls[0].status) == (200, 504)
    assert open_sockets(proxy) == 1


def test_delay_comes_before_the_service(http, service, proxy):
    with proxy.fault(delay(0.2)):
        before = time.monotonic()
        assert http.post(service.url, data=b"x").content == b"x"
    assert time.monotonic() - before >= 0.2


def test_a_held_call_arrives_late_even_where_its_caller_is_gone(http, service, proxy):
    with proxy.fault(hold(), method="POST") as fault:
        with pytest.raises(requests.ReadTimeout):
            http.post(service.url, timeout=0.1)
        fault.wait()
        assert service.done() == []
    proxy.wait_for(method="POST", served=True)
    assert service.done() == ["/"]


def test_a_held_answer_is_of_a_call_that_is_done(http, service, proxy, background):
    release = threading.Event()
    with proxy.fault(hold(release, after=True)) as fault:
        call = background.submit(http.post, service.url, data=b"made")
        assert fault.wait(served=True).status is None
        assert service.done() == ["/"]
        assert not call.done()
        release.set()
        assert call.result().content == b"made"


def test_hang_lasts_until_it_is_released_or_the_caller_goes(http, service, proxy, background):
    release = threading.Event()
    with proxy.fault(hang(release)) as fault:
        with pytest.raises(requests.ReadTimeout):
            http.post(service.url, timeout=0.1)
        eventually(lambda: open_sockets(proxy) == 0)
        call = background.submit(http.post, service.url)
        fault.wait(count=2)
        release.set()
        assert isinstance(call.exception(10), requests.ConnectionError)
    assert service.seen == []


def test_a_rule_takes_only_what_matches_all_it_says(http, service, proxy):
    said = {"netloc": f"127.0.0.1:{service.port}", "method": "POST", "path": r"^/v2/ports$", "body": r'"name": "a\d"'}
    with proxy.fault(status(500), **said) as fault, proxy.fault(status(500), port=service.port + 1) as other:
        for method, path, name in [("GET", "", "a1"), ("POST", "/x", "a1"), ("POST", "", "b"), ("POST", "", "a1")]:
            http.request(method, f"{service.url}/v2/ports{path}", json={"name": name})
    assert [call.status for call in proxy.calls()] == [200, 200, 200, 500]
    assert fault.calls == proxy.calls()[3:]
    assert other.calls == []


def test_the_newest_rule_takes_the_call_until_its_times_are_over(http, service, proxy):
    with proxy.fault(status(500)), proxy.fault(status(429), times=2):
        assert [http.get(service.url).status_code for _ in range(4)] == [429, 429, 500, 500]
    assert http.get(service.url).status_code == 200


def test_waiting_for_a_call_that_never_comes_ends(proxy):
    with pytest.raises(TimeoutError, match="0 of 1 calls"):
        proxy.wait_for(timeout=0.05, method="POST")


def test_closing_leaves_no_thread_and_no_socket_whatever_is_under_way(service, background):
    with ExitStack() as rules, ExitStack() as clients:
        with FaultProxy() as proxy:
            idle = clients.enter_context(socket.create_connection(("127.0.0.1", port_of(proxy)), 10))
            stalled = clients.enter_context(socket.create_connection(("127.0.0.1", port_of(proxy)), 10))
            head = f"POST {service.url}/stalled HTTP/1.1\r\nContent-Length: {len(BIG)}\r\n\r\n"
            stalled.sendall(head.encode() + BIG)
            rules.enter_context(proxy.fault(hold(), path="before"))
            rules.enter_context(proxy.fault(hold(after=True), path="after"))
            rules.enter_context(proxy.fault(delay(60), path="delay"))
            more = {"data": BIG, "proxies": {"http": proxy.url}, "timeout": 20}
            paths = ("before", "after", "delay")
            calls = [background.submit(requests.post, f"{service.url}/{path}", **more) for path in paths]
            proxy.wait_for(count=4)
            proxy.wait_for(count=2, served=True)
        assert all(isinstance(call.exception(10), requests.ConnectionError) for call in calls)
        assert idle.recv(1) == b""
        assert "fault proxy" not in [thread.name for thread in threading.enumerate()]
        assert sockets(proxy) == sockets_to(service) == []
    assert sorted(service.done()) == ["/after", "/stalled"]


def port_of(proxy):
    return int(proxy.url.rpartition(":")[2])


def sockets(proxy):
    """The proxy's side of its callers' connections, and what it listens on."""
    return [found for found in psutil.Process().net_connections() if found.laddr.port == port_of(proxy)]


def open_sockets(proxy):
    """How many callers' connections the proxy has open."""
    return len([found for found in sockets(proxy) if found.status != psutil.CONN_LISTEN])


def sockets_to(service):
    return [found for found in psutil.Process().net_connections() if found.raddr and found.raddr.port == service.port]


def eventually(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
