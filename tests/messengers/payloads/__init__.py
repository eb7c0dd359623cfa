"""What each provider posts, as its documentation prints it: a module a provider, which names its sources."""

from tests.messengers.payloads import (
    ali,
    apple,
    av,
    cian,
    fb,
    mx,
    ok,
    tg,
    vb,
    vk,
    wa,
)
from tests.messengers.payloads.recorded import Payloads

PAYLOADS: dict[str, Payloads] = {
    "tg": tg.PAYLOADS,
    "vk": vk.PAYLOADS,
    "wa": wa.PAYLOADS,
    "vb": vb.PAYLOADS,
    "fb": fb.PAYLOADS,
    "ok": ok.PAYLOADS,
    "mx": mx.PAYLOADS,
    "cian": cian.PAYLOADS,
    "ali": ali.PAYLOADS,
    "apple": apple.PAYLOADS,
    "av": av.PAYLOADS,
}
TEXTS = {code: of.text for code, of in PAYLOADS.items()}
PICTURES = {code: of.picture for code, of in PAYLOADS.items() if of.picture}
PLACES = {code: of.place for code, of in PAYLOADS.items() if of.place}
NOTHING = [(code, document) for code, of in PAYLOADS.items() for document in of.nothing]
