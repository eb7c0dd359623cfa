"""Connections to messengers and what comes and goes by them; custom channels; who writes by which of them."""

from apps.messengers.models.connections import (
    AdCabinet,
    Channel,
    CheckJob,
    Community,
    Connection,
    Inbound,
    InboundJob,
    Peer,
    PollJob,
    VendorSettings,
)
from apps.messengers.models.outbound import EarlyReceipt, OutboundJob, OutboundMessage
from apps.messengers.models.start_links import StartLink

__all__ = [
    "AdCabinet",
    "Channel",
    "CheckJob",
    "Community",
    "Connection",
    "EarlyReceipt",
    "Inbound",
    "InboundJob",
    "OutboundJob",
    "OutboundMessage",
    "Peer",
    "PollJob",
    "StartLink",
    "VendorSettings",
]
