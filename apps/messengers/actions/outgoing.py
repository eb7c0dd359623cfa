"""A message on its way out, as it is read when its conversation is claimed."""

from dataclasses import dataclass

from apps import leases
from apps.chats.models import Message
from apps.messengers.actions.provider_calls import Way, adapter_of, wire_of
from apps.messengers.adapters.adapter import Adapter
from apps.messengers.adapters.client import SEND_S, ProviderClient
from apps.messengers.models import Connection, OutboundJob, OutboundMessage, Peer, VendorSettings


@dataclass(slots=True)
class Outgoing:
    """A message of a conversation that this process holds, and all that its send needs.

    message: None once it is deleted for good. connection: by which the peer is written to, as it is now; None if it is
    not connected. has_more: others wait behind it. spoken: the line that goes before a machine's text, None if that is
    to be asked (`outbound.spoken_before`).
    """

    lease: leases.Lease[OutboundJob]
    row: OutboundMessage
    peer: Peer
    message: Message | None
    connection: Connection | None
    settings: VendorSettings | None
    has_more: bool = False
    spoken: str | None = None

    @property
    def used(self) -> Connection:
        """The connection, where there is one."""
        assert self.connection is not None  # noqa: S101 - without one a message fails
        return self.connection

    @property
    def adapter(self) -> Adapter:
        """The adapter of its connection."""
        return adapter_of(self.used)

    def client(self, way: Way, *, all_s: float = SEND_S) -> ProviderClient:
        """A client for its next calls."""
        return wire_of(self.used, each_s=SEND_S, all_s=all_s, way=way, settings_=self.settings)

    def keep(self, *columns: str) -> None:
        """Saves these columns of its row, and holds its conversation for as long as the next call takes.

        Raises LeaseLost.
        """
        self.row.save(update_fields=columns)
        self.lease.renew()
