"""How Celery's processes come back to Redis: `config.celery` makes its application with `Amqp`."""

from typing import Any, Self

from celery.app.amqp import AMQP
from celery.worker import state
from kombu import Connection
from kombu.exceptions import OperationalError

from config import heartbeat

TRY_AGAIN_S = 1.0


class PatientConnection(Connection):
    """Tries to connect once a second, however long Redis has been away, and shows that it does, until it is to end.

    The library waits longer each time, up to half a minute, and has no setting for it: after a minute without Redis,
    workers and beat would stay away for a quarter of one.
    """

    def ensure_connection(self, *args: Any, **kwargs: Any) -> Self:
        every_second = {"interval_start": TRY_AGAIN_S, "interval_step": 0, "interval_max": TRY_AGAIN_S}
        return super().ensure_connection(*args, **{**every_second, **kwargs})

    def _ensure_connection(self, *args: Any, **kwargs: Any) -> Any:
        """Every connection is made here, also for an event that is sent amidst the worker's loop."""
        then = kwargs.pop("callback", None)

        def tried_in_vain() -> None:
            heartbeat.MAIN_LOOP.made()
            if then is not None:
                then()
            if state.should_stop is not None:
                raise OperationalError("Redis is away, and this worker is asked to end.")

        return super()._ensure_connection(*args, **{**kwargs, "callback": tried_in_vain})


class Amqp(AMQP):
    """Celery's, with such connections."""

    Connection = PatientConnection
