"""How a URL that somebody typed is read: the exact outcome of every known trick, and of what people really paste."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.egress.addresses import is_public
from apps.egress.allowlist import AllowList, allow_list_problems, read_allow_list
from apps.egress.errors import EgressRefused, InvalidUrl
from apps.egress.resolution import admit
from apps.egress.targets import Target, parse_target

NOTHING = AllowList()

# As typed → as sent.
ACCEPTED = {
    "https://example.com": "https://example.com/",
    "https://example.com/": "https://example.com/",
    "HTTPS://EXAMPLE.COM/Path": "https://example.com/Path",
    "hTTps://Example.Com": "https://example.com/",
    "https://example.com:443": "https://example.com/",
    "https://example.com:443/a": "https://example.com/a",
    "https://example.com:8443/a": "https://example.com:8443/a",
    "https://example.com:1/": "https://example.com:1/",
    "https://example.com:80/": "https://example.com:80/",
    "https://example.com:65535/": "https://example.com:65535/",
    "https://example.com.": "https://example.com/",
    "https://example.com./x": "https://example.com/x",
    "https://example.com.:8443/x": "https://example.com:8443/x",
    "https://a.b.c.d.example.com/": "https://a.b.c.d.example.com/",
    "https://my-host.example.com/": "https://my-host.example.com/",
    "https://my_bucket.example.com/": "https://my_bucket.example.com/",
    "https://_dmarc.example.com/": "https://_dmarc.example.com/",
    "https://xn--e1afmkfd.xn--p1ai/": "https://xn--e1afmkfd.xn--p1ai/",
    "https://пример.рф/": "https://xn--e1afmkfd.xn--p1ai/",
    "https://ПРИМЕР.РФ/путь": "https://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C",
    "https://пример。рф/": "https://xn--e1afmkfd.xn--p1ai/",
    "https://παράδειγμα.gr/": "https://xn--hxajbheg2az3al.gr/",
    "https://faß.de/": "https://xn--fa-hia.de/",
    "https://bücher.example/": "https://xn--bcher-kva.example/",
    "https://ｅｘａｍｐｌｅ.com/": "https://example.com/",
    "https://例え.jp/": "https://xn--r8jz45g.jp/",
    "https://مثال.example/": "https://xn--mgbh0fb.example/",
    "https://1.example.com/": "https://1.example.com/",
    "https://123.com/": "https://123.com/",
    "https://0x7f.example.com/": "https://0x7f.example.com/",
    "https://127.0.0.1.nip.io/": "https://127.0.0.1.nip.io/",
    "https://localhost/": "https://localhost/",
    "https://intranet/": "https://intranet/",
    "https://example.com?x=1": "https://example.com/?x=1",
    "https://example.com/?x=1&y=2": "https://example.com/?x=1&y=2",
    "https://example.com/?": "https://example.com/?",
    "https://example.com/?a?b": "https://example.com/?a?b",
    "https://example.com/?next=https://other.example/": "https://example.com/?next=https://other.example/",
    "https://example.com/?q=a@b": "https://example.com/?q=a@b",
    "https://example.com/?q=привет": "https://example.com/?q=%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82",
    "https://example.com/?a[]=1": "https://example.com/?a%5B%5D=1",
    "https://example.com/#top": "https://example.com/",
    "https://example.com#top": "https://example.com/",
    "https://example.com#@127.0.0.1/": "https://example.com/",
    "https://example.com/#@127.0.0.1/": "https://example.com/",
    "https://example.com?@127.0.0.1/": "https://example.com/?@127.0.0.1/",
    "https://example.com/@127.0.0.1/": "https://example.com/@127.0.0.1/",
    "https://example.com/a#b#c": "https://example.com/a",
    "https://example.com/a?b#c?d": "https://example.com/a?b",
    "https://example.com/a/b/c.json": "https://example.com/a/b/c.json",
    "https://example.com//double//slash": "https://example.com//double//slash",
    "https://example.com/../a": "https://example.com/../a",
    "https://example.com/a/./b": "https://example.com/a/./b",
    "https://example.com/%2e%2e/a": "https://example.com/%2e%2e/a",
    "https://example.com/a%20b": "https://example.com/a%20b",
    "https://example.com/%d0%bf": "https://example.com/%d0%bf",
    "https://example.com/100%": "https://example.com/100%",
    "https://example.com/a;b=c,d": "https://example.com/a;b=c,d",
    "https://example.com/a:b": "https://example.com/a:b",
    "https://example.com/~user/": "https://example.com/~user/",
    "https://example.com/a'b": "https://example.com/a'b",
    'https://example.com/a"b': "https://example.com/a%22b",
    "https://example.com/a<b>": "https://example.com/a%3Cb%3E",
    "https://example.com/a|b": "https://example.com/a%7Cb",
    "https://example.com/{id}": "https://example.com/%7Bid%7D",
    "https://example.com/a^b`c": "https://example.com/a%5Eb%60c",
    "https://example.com/http://127.0.0.1/": "https://example.com/http://127.0.0.1/",
    "https://example.com/:80": "https://example.com/:80",
    "https://example.com/😀": "https://example.com/%F0%9F%98%80",
    "https://8.8.8.8/": "https://8.8.8.8/",
    "https://8.8.8.8./": "https://8.8.8.8/",
    "https://8.8.8.8:8443/x": "https://8.8.8.8:8443/x",
    "https://８.８.８.８/": "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/": "https://[2606:4700:4700::1111]/",
    "https://[2606:4700:4700:0:0:0:0:1111]:8443/": "https://[2606:4700:4700::1111]:8443/",
    "https://[2A00:1450::1]/": "https://[2a00:1450::1]/",
    "https://[::ffff:8.8.8.8]/": "https://[::ffff:808:808]/",
    "https://[64:ff9b::8.8.8.8]/": "https://[64:ff9b::808:808]/",
    "https://hooks.example.com/services/T0/B0/x?y=z&k=%7B%7D": "https://hooks.example.com/services/T0/B0/x?y=z&k=%7B%7D",
    f"https://example.com/{'a' * 2028}": f"https://example.com/{'a' * 2028}",
    f"https://{'a' * 63}.com/": f"https://{'a' * 63}.com/",
}

# Read, and then refused for the address that stands in it.
PRIVATE_LITERALS_TABLE = """
    https://127.0.0.1/ https://127.0.0.1:8443/ https://127.0.0.1./ https://127.1.2.3/ https://0.0.0.0/
    https://10.0.0.1/ https://172.16.0.1/ https://192.168.0.1/ https://100.64.0.1/ https://100.100.100.200/
    https://169.254.169.254/latest/meta-data/ https://169.254.170.2/v2/credentials https://168.63.129.16/
    https://192.0.0.192/ https://192.0.2.1/ https://198.18.0.1/ https://224.0.0.1/ https://240.0.0.1/
    https://255.255.255.255/ https://１２７.0.0.1/ https://①②⑦.⓪.⓪.①/ https://127。0。0。1/ https://127．0．0．1/
    https://𝟏𝟐𝟕.𝟎.𝟎.𝟏/ https://[::]/ https://[::1]/ https://[::1]:443/ https://[0:0:0:0:0:0:0:1]/
    https://[0000:0000:0000:0000:0000:0000:0000:0001]/ https://[::127.0.0.1]/ https://[::ffff:127.0.0.1]/
    https://[::ffff:7f00:1]/ https://[::FFFF:7F00:1]/ https://[::ffff:169.254.169.254]/ https://[::ffff:a9fe:a9fe]/
    https://[64:ff9b::127.0.0.1]/ https://[64:ff9b:1::8.8.8.8]/ https://[2002:7f00:1::]/ https://[2001:db8::1]/
    https://[2001::1]/ https://[3fff::1]/ https://[fc00::1]/ https://[fd00:ec2::254]/ https://[fe80::1]/
    https://[fec0::1]/ https://[ff02::1]/ https://[::ffff:0:127.0.0.1]/ https://[100::1]/
"""
PRIVATE_LITERALS = PRIVATE_LITERALS_TABLE.split()

REFUSED = {
    "empty": [""],
    "forbidden_character": [
        " https://example.com/",
        "https://example.com/ ",
        "https://example.com/a b",
        "https://exa mple.com/",
        "https:// example.com/",
        "\thttps://example.com/",
        "https://example.com/\n",
        "https://example.com/\r\nX-Injected: 1",
        "https://exam\tple.com/",
        "https://exam\nple.com/",
        "ht\ntps://example.com/",
        "https://example.com/\x00",
        "https://example.com\x00.evil.example/",
        "https://127.0.0.1\x00.example.com/",
        "https://example.com/\x7f",
        "https://example.com/\x1b[2J",
        "https://example.com/\x85",
        "https://example.com/\xa0",
        "https://example.com/\u2028",
        "https://example.com/\u2029",
        "https://example.com/\u3000",
        "https://example\u200b.com/",
        "https://example.com/\u200d",
        "https://exa\xadmple.com/",
        "https://\u202eelpmaxe.com/",
        "https://example.com/\u2066",
        "\ufeffhttps://example.com/",
        "https://example.com/\ud800",
        "https:\\\\example.com\\",
        "https://example.com\\",
        "https://example.com\\@127.0.0.1/",
        "https://127.0.0.1\\@example.com/",
        "https://example.com/\\..\\",
        "https:/\\example.com/",
        "\\\\example.com\\share",
    ],
    "syntax": [
        "example.com",
        "www.example.com/a",
        "//example.com/",
        "/path",
        "?x=1",
        "#top",
        "https",
        "https:",
        "https:/",
        "https:/example.com/",
        "https:example.com",
        "https;//example.com/",
        "https//example.com/",
        "://example.com/",
        ":https://example.com/",
        "1https://example.com/",
        "h-ttps://example.com/",
        "git+https://example.com/",
        "view-source:https://example.com/",
        "url:https://example.com/",
        "javascript:alert(1)",
        "data:text/html,x",
        "mailto:a@example.com",
        "blob:https://example.com/x",
        "http:127.0.0.1",
        "127.0.0.1",
        "localhost:8000",
        "хттпс://example.com/",
        "ｈｔｔｐｓ://example.com/",
        "<https://example.com/>",
        '"https://example.com/"',
    ],
    "not_https": [
        "http://example.com/",
        "HTTP://example.com/",
        "http://127.0.0.1/",
        "http://localhost:8000/",
        "http://[::1]/",
        "http://8.8.8.8/",
        "http://example.com:443/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "file://localhost/etc/passwd",
        "gopher://127.0.0.1:6379/_FLUSHALL",
        "dict://127.0.0.1:11211/stats",
        "ldap://127.0.0.1/",
        "ws://example.com/",
        "wss://example.com/",
        "unix://var/run/docker.sock",
        "jar://example.com/",
        "httpss://example.com/",
        "javascript://example.com/%0aalert(1)",
    ],
    "userinfo": [
        "https://user@example.com/",
        "https://user:password@example.com/",
        "https://:password@example.com/",
        "https://@example.com/",
        "https://:@example.com/",
        "https://example.com@127.0.0.1/",
        "https://example.com:443@127.0.0.1/",
        "https://127.0.0.1@example.com/",
        "https://a@b@example.com/",
        "https://user%40example.com@127.0.0.1/",
        "https://example.com@[::1]/",
        "https://[::1]@example.com/",
        "http://user@example.com/",
    ],
    "host": [
        "https://",
        "https:///",
        "https:///path",
        "https://?x",
        "https://#x",
        "https://:443/",
        "https://./",
        "https://../",
        "https://.example.com/",
        "https://example..com/",
        "https://example.com../",
        "https://-example.com/",
        "https://example-.com/",
        "https://exa%6dple.com/",
        "https://127.0.0.1%2f.example.com/",
        "https://%31%32%37.0.0.1/",
        "https://localhost%00.example.com/",
        "https://exam!ple.com/",
        "https://exam$ple.com/",
        "https://exam*ple.com/",
        "https://*.example.com/",
        "https://exam,ple.com/",
        "https://exam;ple.com/",
        "https://exam=ple.com/",
        "https://exam|ple.com/",
        "https://exam<ple.com/",
        'https://exam"ple.com/',
        "https://{host}/",
        "https://ex℀mple.com/",
        "https://example.com⁄path/",
        "https://example.com／path/",
        "https://\u0338.example.com/",
        "https://xn--ａ.\u2260/",
        f"https://{'a' * 64}.com/",
        f"https://{'a.' * 127}com/",
        f"https://{'ы' * 64}.рф/",
        "https://127.1/",
        "https://127.0.1/",
        "https://2130706433/",
        "https://3232235521/",
        "https://0/",
        "https://1/",
        "https://127/",
        "https://0x7f000001/",
        "https://0x7f.1/",
        "https://0X7F.0.0.1/",
        "https://0x7f.0x0.0x0.0x1/",
        "https://127.0.0.0x1/",
        "https://017700000001/",
        "https://0177.0.0.1/",
        "https://0177.0.0.01/",
        "https://127.0.0.01/",
        "https://127.000.000.001/",
        "https://00127.0.0.1/",
        "https://169.254.43518/",
        "https://169.16689662/",
        "https://0251.0376.0251.0376/",
        "https://0xa9fea9fe/",
        "https://256.256.256.256/",
        "https://1.2.3.4.5/",
        "https://example.123/",
        "https://example.0x7f/",
        "https://example.0x/",
        "https://4294967296/",
        "https://99999999999999999999/",
        "https://２130706433/",
        "https://0ｘ7f000001/",
        "https://[/",
        "https://]/",
        "https://[]/",
        "https://[::1/",
        "https://::1]/",
        "https://2606:4700::1111/",
        "https://[127.0.0.1]/",
        "https://[example.com]/",
        "https://[::1]example.com/",
        "https://example.com[::1]/",
        "https://[::1].example.com/",
        "https://[::1%25eth0]/",
        "https://[fe80::1%eth0]/",
        "https://[fe80::1%25lo]/",
        "https://[::1%]/",
        "https://[v1.fe80::a]/",
        "https://[:::1]/",
        "https://[1::2::3]/",
        "https://[12345::1]/",
        "https://[::ffff:127.1]/",
        "https://[::ffff:256.0.0.1]/",
        "https://[::ffff:0x7f.0.0.1]/",
        "https://[[::1]]/",
        "https://［::1］/",
    ],
    "port": [
        "https://example.com:/",
        "https://example.com:0/",
        "https://example.com:00/",
        "https://example.com:0443/",
        "https://example.com:65536/",
        "https://example.com:99999/",
        "https://example.com:4294967739/",
        "https://example.com:-1/",
        "https://example.com:+443/",
        "https://example.com:44_3/",
        "https://example.com:0x1bb/",
        "https://example.com:443:443/",
        "https://example.com:443a/",
        "https://example.com:https/",
        "https://example.com:４４３/",
        "https://example.com:٤٤٣/",
        "https://[2606:4700::1111]:/",
        "https://[2606:4700::1111]:0/",
        "https://[2606:4700::1111]:65536/",
        "https://fe80::1/",
    ],
    "too_long": [
        f"https://example.com/{'a' * 2029}",
        "https://example.com/" + "a" * 100_000,
        "https://example.com/" + "ы" * 400,
        f"https://example.com/?{'<' * 1000}",
    ],
}
REFUSALS = [(url, reason) for reason, urls in REFUSED.items() for url in urls]


@pytest.mark.parametrize(("url", "sent"), ACCEPTED.items())
def test_an_accepted_url_is_sent_in_one_form(url: str, sent: str) -> None:
    assert parse_target(url, NOTHING).url == sent


@pytest.mark.parametrize("url", PRIVATE_LITERALS)
def test_an_address_in_the_url_is_checked_whatever_its_spelling(url: str) -> None:
    target = parse_target(url, NOTHING)
    assert target.is_literal
    with pytest.raises(EgressRefused) as refusal:
        admit(target, [target.host], NOTHING)
    assert (refusal.value.reason, refusal.value.is_permanent) == ("private_address", True)


@pytest.mark.parametrize(("url", "reason"), REFUSALS)
def test_a_refused_url_has_a_reason(url: str, reason: str) -> None:
    with pytest.raises(InvalidUrl) as refusal:
        parse_target(url, NOTHING)
    assert refusal.value.reason == reason
    assert refusal.value.is_permanent
    assert re.fullmatch(r"(Must|The|An) [\w ,0-9:/.-]+\.", str(refusal.value))


def test_the_tables_are_as_long_as_promised() -> None:
    assert len({*ACCEPTED, *PRIVATE_LITERALS, *(url for url, _ in REFUSALS)}) >= 200


def test_a_target_is_read_in_parts() -> None:
    assert parse_target("https://Пример.рф:8443/a?b#c", NOTHING) == Target(
        "https://xn--e1afmkfd.xn--p1ai:8443/a?b", "https", "xn--e1afmkfd.xn--p1ai", 8443, is_literal=False
    )
    assert parse_target("https://[2A00:1450::1]", NOTHING) == Target(
        "https://[2a00:1450::1]/", "https", "2a00:1450::1", 443, is_literal=True
    )


ALLOW = read_allow_list(("receiver.internal:8080", "10.1.0.0/16:9000", "127.0.0.1:7000", "[fd00::/8]:9443"))


@pytest.mark.parametrize(
    ("url", "addresses", "outcome"),
    [
        ("http://receiver.internal:8080/", ["10.0.0.5"], "admitted"),
        ("https://receiver.internal:8080/", ["10.0.0.5", "127.0.0.1"], "admitted"),
        ("http://RECEIVER.internal.:8080/", ["10.0.0.5"], "admitted"),
        ("https://receiver.internal:8081/", ["10.0.0.5"], "private_address"),
        ("https://receiver.internal/", ["10.0.0.5"], "private_address"),
        ("http://receiver.internal:8081/", ["10.0.0.5"], "not_https"),
        ("http://receiver.internal/", ["10.0.0.5"], "not_https"),
        ("https://x.receiver.internal:8080/", ["10.0.0.5"], "private_address"),
        ("http://model.lan:9000/", ["10.1.2.3"], "admitted"),
        ("https://model.lan:9000/", ["10.1.2.3", "8.8.8.8"], "admitted"),
        ("https://model.lan:9000/", ["10.1.2.3", "10.2.0.1"], "private_address"),
        ("https://model.lan:9000/", ["::ffff:10.1.2.3"], "admitted"),
        ("http://model.lan:9000/", ["10.2.0.1"], "private_address"),
        ("http://model.lan:9000/", ["8.8.8.8"], "not_https"),
        ("https://model.lan:9000/", ["8.8.8.8"], "admitted"),
        ("http://10.1.0.1:9000/", ["10.1.0.1"], "admitted"),
        ("http://127.0.0.1:7000/", ["127.0.0.1"], "admitted"),
        ("http://127.0.0.2:7000/", ["127.0.0.2"], "private_address"),
        ("https://localhost:7000/", ["127.0.0.1", "::1"], "private_address"),
        ("https://[fd12::1]:9443/", ["fd12::1"], "admitted"),
        ("https://[fe80::1]:9443/", ["fe80::1"], "private_address"),
        ("https://name.lan:9443/", ["fd12::1%eth0"], "private_address"),
        ("https://example.com/", ["8.8.8.8", "1.1.1.1", "2606:4700::1111"], "admitted"),
        ("https://example.com/", ["8.8.8.8", "10.0.0.1"], "private_address"),
        ("https://example.com/", [], "unresolvable"),
        ("https://example.com/", ["nonsense"], "private_address"),
    ],
)
def test_the_allow_list_admits_what_it_names(url: str, addresses: list[str], outcome: str) -> None:
    def call() -> tuple[str, ...]:
        return admit(parse_target(url, ALLOW), addresses, ALLOW)

    if outcome == "admitted":
        assert call() == tuple(addresses)
    else:
        with pytest.raises(EgressRefused) as refusal:
            call()
        assert refusal.value.reason == outcome


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("receiver:http", "'receiver:http': The port must be a number from 1 to 65535."),
        ("receiver:0", "'receiver:0': The port must be a number from 1 to 65535."),
        (":80", "':80': The host name is not valid."),
        ("*.lan:80", "'*.lan:80': The host name is not valid."),
        ("http://receiver:80", "'http://receiver:80' is no network: "),
        ("10.0.0.1/8:80", "'10.0.0.1/8:80' is no network: 10.0.0.1/8 has host bits set"),
        ("10.0.0.0/33:80", "'10.0.0.0/33:80' is no network: "),
        ("127.1:80", "'127.1:80' is no network: "),
        ("[fd00::1]80", "'[fd00::1]80': After the bracket only a port may follow."),
        ("[10.0.0.1]:80", "'[10.0.0.1]:80': Brackets are for IPv6."),
        ("%%%", "'%%%': The host name is not valid."),
    ],
)
def test_an_exception_that_cannot_be_read_is_named(entry: str, complaint: str) -> None:
    problems = allow_list_problems(["10.0.0.0/8:80", entry, "ok.lan:1"])
    assert len(problems) == 1
    assert problems[0].startswith(complaint)


def test_exceptions_that_can_be_read_have_no_problems() -> None:
    assert allow_list_problems(["a.lan:80", "10.0.0.0/8:1", "10.0.0.1:65535", "[::1]:8000", "[fd00::/8]:443"]) == []


URL_PIECES = st.sampled_from(
    [
        "https://",
        "http://",
        "example.com",
        "127.0.0.1",
        "@",
        ":",
        "/",
        "\\",
        "#",
        "?",
        "[",
        "]",
        "::1",
        "%",
        ".",
        "0x7f",
    ]
)


@given(st.one_of(st.text(max_size=80), st.lists(st.one_of(URL_PIECES, st.text(max_size=3)), max_size=12).map("".join)))
@example("https://[::1")
@example("https://ß.example/")
def test_any_text_is_read_into_something_stable_or_refused(text: str) -> None:
    try:
        target = parse_target(text, NOTHING)
    except InvalidUrl:
        return
    assert target.scheme == "https"
    assert 1 <= target.port <= 65535
    assert target.url.isascii()
    assert re.fullmatch(r"https://(\[[0-9a-f:]+\]|[a-z0-9_.-]+)(:\d+)?/[!-~]*", target.url)
    assert "#" not in target.url
    assert parse_target(target.url, NOTHING) == target


@given(st.ip_addresses(v=4), st.integers(1, 65535))
def test_no_other_spelling_of_an_ipv4_address_gets_through(address, port: int) -> None:
    number = int(address)
    first, second, third, fourth = address.packed
    for spelling in (
        str(number),
        f"0{number:o}",
        f"0x{number:x}",
        f"{first}.{number & 0xFFFFFF}",
        f"{first}.{second}.{number & 0xFFFF}",
        f"0x{first:x}.0x{second:x}.0x{third:x}.0x{fourth:x}",
        f"0{first:o}.0{second:o}.0{third:o}.0{fourth:o}",
    ):
        with pytest.raises(InvalidUrl):
            parse_target(f"https://{spelling}:{port}/", NOTHING)
    plain = parse_target(f"https://{address}:{port}/", NOTHING)
    assert (plain.host, plain.port, plain.is_literal) == (str(address), port, True)
    if not is_public(str(address)):
        with pytest.raises(EgressRefused):
            admit(plain, [plain.host], NOTHING)


def test_allow_list_without_a_port_means_every_port() -> None:
    allow = read_allow_list(("receiver.lan", "10.0.0.0/8", "127.0.0.1", "fd00::/8", "[::1]", "other.lan:81"))
    assert allow.permits("receiver.lan", 9000, "192.168.1.1")
    assert allow.permits("any.example", 443, "10.1.2.3")
    assert allow.permits("127.0.0.1", 65535, "127.0.0.1")
    assert allow.permits("any.example", 80, "fd00::5")
    assert allow.permits("any.example", 80, "::1")
    assert allow.permits("other.lan", 81, "192.168.1.1")
    assert not allow.permits("other.lan", 80, "192.168.1.1")
    assert not allow.permits("any.example", 80, "192.168.1.1")
    assert allow.may_permit_plain_http("anything.example", 80)
