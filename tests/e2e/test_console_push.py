"""The console's worker in a real browser. (A headless Chromium shows no notifications.)"""

from tests.e2e.console import Open

START = """async () => {
    const loaded = performance.getEntriesByType("resource").map((each) => each.name);
    await (await import(loaded.find((name) => /console\\/settings\\/push[^/]*\\.js/.test(name)))).worker();
    return (await navigator.serviceWorker.ready).scope;
}"""


def test_the_page_registers_its_worker_under_its_own_policy(open_desk: Open) -> None:
    desk = open_desk()
    assert desk.page.evaluate(START) == f"{desk.service.url}/console/"
    assert desk.complaints == []
