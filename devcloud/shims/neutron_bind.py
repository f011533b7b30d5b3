"""An ML2 mechanism driver that binds every port at once: there are no agents to do it."""

import typing

from neutron_lib import constants
from neutron_lib.api.definitions import portbindings
from neutron_lib.plugins.ml2 import api


class ImmediateBinding(api.MechanismDriver):
    """Binds a port to its first segment and makes it active."""

    def initialize(self) -> None:
        """Nothing to prepare."""

    @property
    def connectivity(self) -> str:
        """Layer 2, which Neutron wants to know."""
        return portbindings.CONNECTIVITY_L2

    def bind_port(self, context: typing.Any) -> None:
        """Bind the port of ``context``; no packet ever flows."""
        for segment in context.segments_to_bind:
            details = {portbindings.CAP_PORT_FILTER: False, "connectivity": portbindings.CONNECTIVITY_L2}
            context.set_binding(
                segment[api.ID], portbindings.VIF_TYPE_OVS, details, status=constants.PORT_STATUS_ACTIVE
            )
            return
