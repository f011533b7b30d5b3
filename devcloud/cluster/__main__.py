"""Serves one cluster: ``python -m devcloud.cluster openshift``."""

import asyncio
import logging
import signal
import sys

from devcloud.cluster import certificates
from devcloud.cluster.core import Cluster
from devcloud.cluster.server import serve
from devcloud.layout import HOST, Layout


async def _run(name: str) -> None:
    layout = Layout.from_env()
    folder = layout.clusters
    cluster = Cluster(name, folder / name)
    runner, port = await serve(cluster, HOST, layout.port(name), certificates.context(folder))
    logging.getLogger(__name__).info("%s serves on port %s", name, port)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()
    await runner.cleanup()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    asyncio.run(_run(sys.argv[1]))
