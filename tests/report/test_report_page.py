"""Report pages, as a browser shows them."""

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

WriteReport = Callable[..., Path]

PHONE, DESKTOP = (390, 844), (1440, 900)


def kernel(name: str, stages: int, tile: str = "16x16xf32", target: str = "") -> str:
    suffix = f' target <"{target}">' if target else ""
    return (
        f"sched.kernel @{json.dumps(name, ensure_ascii=False)} stages {stages}{suffix} {{\n"
        f"  sched.buffer @a rotating : memref<{tile}>\n}}\n"
    )


def module(*kernels: str) -> str:
    return 'builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {\n' + "".join(kernels) + "}\n"


SEVERAL = module(
    kernel("one", 1),
    kernel("two", 2, "32x32xf32"),
    kernel("three", 3),
    kernel("big", 3, "64x64xf32"),
    kernel("elsewhere", 2, target="Apple M3 Max"),
    kernel("huge", 2, "100x100xf32"),
)


def view(browser: Any, page: Path, size: tuple[int, int] = DESKTOP, *, dark: bool = False, media: str = "") -> None:
    """Open `page` in a window of `size`, and forget what the browser logged before."""
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [scheme]})
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(page.as_uri())


def script(browser: Any, text: str, *arguments: object) -> Any:
    return browser.execute_script(text, *arguments)


def column(browser: Any, index: int) -> list[str]:
    """What a column of the table shows, row by row."""
    selector = f"#kernels tbody tr:not(.detail) > :nth-child({index})"
    return [cell.text.split("\n")[0] for cell in browser.find_elements(By.CSS_SELECTOR, selector)]


def names(browser: Any) -> list[str]:
    return [
        name.removeprefix("@")
        for name in script(browser, "return [...document.querySelectorAll('.open bdi')].map(e => e.textContent)")
    ]


def head(browser: Any, title: str) -> Any:
    return browser.find_element(By.XPATH, f"//table[@id='kernels']//th/button[text()='{title}']")


def requests(browser: Any) -> list[str]:
    events = (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
    return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]


@pytest.mark.parametrize("text", [SEVERAL, module(), module(kernel("m3", 2, target="Apple M3 Max"))])
def test_a_page_needs_nothing_else_and_logs_nothing(browser: Any, write_report: WriteReport, text: str) -> None:
    page = write_report(text)
    view(browser, page)
    assert browser.get_log("browser") == []
    assert {url for url in requests(browser) if not url.startswith("data:")} == {page.as_uri()}


def test_totals(browser: Any, write_report: WriteReport) -> None:
    view(browser, write_report(SEVERAL))
    totals = dict(
        zip(
            [term.text for term in browser.find_elements(By.CSS_SELECTOR, "#totals dt")],
            [value.text.split("\n")[0] for value in browser.find_elements(By.CSS_SELECTOR, "#totals dd")],
            strict=True,
        )
    )
    # Two, three and big lose one, two and two slots.
    saved = 4096 + 2 * 1024 + 2 * 16384
    assert totals == {"Kernels": "6", "Stripped": "3", "Bytes saved": f"{saved:,}", "Over the limit": "2"}
    buttons = [button.text for button in browser.find_elements(By.CSS_SELECTOR, "#verdicts button")]
    assert buttons == ["▲ faster 0", "≈ too close to call 1", "▼ slower 4", "? unknown 1"]


def test_a_table_of_one_page_has_no_pages(browser: Any, write_report: WriteReport) -> None:
    view(browser, write_report(SEVERAL))
    assert not browser.find_element(By.ID, "pages").is_displayed()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SEVERAL, "9.5 % of the throughput lost per doubling; measured from 2,048 to 12,288 bytes"),
        (module(), "There is no kernel, so there is no curve to show."),
        (module(kernel("m3", 2, target="Apple M3 Max")), "No kernel is for a GPU that was measured, so there is no"),
    ],
)
def test_what_is_said_of_the_curve(browser: Any, write_report: WriteReport, text: str, said: str) -> None:
    view(browser, write_report(text))
    assert browser.find_element(By.CSS_SELECTOR, "#charts p").text.startswith(said)


def test_a_click_on_a_head_sorts_and_says_so(browser: Any, write_report: WriteReport) -> None:
    view(browser, write_report(SEVERAL))
    assert names(browser) == ["one", "two", "three", "big", "elsewhere", "huge"]
    head(browser, "Ratio").click()
    ratios = column(browser, 4)
    assert ratios[-1] == "–"
    assert all(float(low) <= float(high) for low, high in pairwise(ratios[:-1]))
    assert head(browser, "Ratio").find_element(By.XPATH, "..").get_attribute("aria-sort") == "ascending"
    head(browser, "Ratio").click()
    ratios = column(browser, 4)
    assert ratios[-1] == "–"
    assert all(float(high) >= float(low) for high, low in pairwise(ratios[:-1]))
    assert head(browser, "Ratio").find_element(By.XPATH, "..").get_attribute("aria-sort") == "descending"


def test_the_table_works_by_keyboard(browser: Any, write_report: WriteReport) -> None:
    view(browser, write_report(SEVERAL))
    head(browser, "Bytes").send_keys(Keys.ENTER)
    assert names(browser) == ["one", "elsewhere", "three", "two", "big", "huge"]
    row = browser.find_element(By.CSS_SELECTOR, ".open")
    assert row.get_attribute("aria-expanded") == "false"
    row.send_keys(Keys.SPACE)
    assert row.get_attribute("aria-expanded") == "true"
    assert browser.find_element(By.CSS_SELECTOR, ".detail").is_displayed()
    row.send_keys(Keys.SPACE)
    assert browser.find_elements(By.CSS_SELECTOR, ".detail") == []


def test_filters(browser: Any, write_report: WriteReport) -> None:
    view(browser, write_report(SEVERAL))
    browser.find_element(By.ID, "text").send_keys("M3 max")
    assert names(browser) == ["elsewhere"]
    assert browser.find_element(By.ID, "status").text == "1 of 6 kernels"
    browser.find_element(By.ID, "reset").click()
    assert len(names(browser)) == 6
    slower = browser.find_element(By.CSS_SELECTOR, "#verdicts .slower")
    slower.click()
    assert slower.get_attribute("aria-pressed") == "true"
    assert names(browser) == ["two", "three", "big", "huge"]
    browser.find_element(By.CSS_SELECTOR, "#action option[value=does_not_fit]").click()
    assert names(browser) == ["huge"]
    browser.find_element(By.CSS_SELECTOR, "#action option[value=over_limit]").click()
    assert names(browser) == ["big", "huge"]
    browser.find_element(By.ID, "text").send_keys("no such kernel")
    assert "No kernel matches." in browser.find_element(By.CSS_SELECTOR, "#kernels tbody").text


def test_a_row_opens_to_what_was_changed(browser: Any, write_report: WriteReport) -> None:
    view(browser, write_report(SEVERAL))
    browser.find_elements(By.CSS_SELECTOR, ".open")[2].click()
    detail = browser.find_element(By.CSS_SELECTOR, ".detail")
    removed = [line.text for line in detail.find_elements(By.CLASS_NAME, "minus")]
    added = [line.text for line in detail.find_elements(By.CLASS_NAME, "plus")]
    assert removed == ["-sched.kernel @three stages 3 {"]
    assert len(added) == 1
    assert added[0].startswith("+sched.kernel @three stages 1 stripped <3, slower 0.849")
    assert "took 3 stages down to 1 (slower): 1024 -> 3072 bytes" in detail.text


def point(browser: Any, name: str) -> tuple[int, int]:
    """Where in the chart the kernel `name` is, in pixels from its middle; the chart is scrolled into view."""
    chart = browser.find_element(By.CSS_SELECTOR, ".chart")
    script(browser, "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", chart)
    return script(
        browser,
        """
        const [chart, name] = arguments;
        const {xaxis, yaxis} = chart._fullLayout;
        for (const trace of chart.data) {
          const index = (trace.text ?? []).findIndex((text) => text.includes(`<b>@${name}</b>`));
          if (index < 0) continue;
          const box = chart.getBoundingClientRect();
          return [
            Math.round(xaxis._offset + xaxis.d2p(trace.x[index]) - box.width / 2),
            Math.round(yaxis._offset + yaxis.d2p(trace.y[index]) - box.height / 2),
          ];
        }
        """,
        chart,
        name,
    )


def test_the_curve_names_kernels_on_hover_and_picks_them_on_a_click(browser: Any, write_report: WriteReport) -> None:
    view(browser, write_report(SEVERAL))
    chart = browser.find_element(By.CSS_SELECTOR, ".chart")
    x, y = point(browser, "two")
    ActionChains(browser).move_to_element_with_offset(chart, x, y).perform()
    hover = browser.find_element(By.CSS_SELECTOR, ".chart .hoverlayer").text
    assert "@two" in hover
    assert "slower, ratio 0.905 (0.855 to 0.955)" in hover
    assert "stripped: 8192 bytes → 4096 bytes" in hover
    assert "@huge" in hover, "it grows by as much, so it is in the same place"
    assert "does not fit: 80000 bytes" in hover
    ActionChains(browser).move_to_element_with_offset(chart, x, y).click().perform()
    assert names(browser) == ["two", "huge"]
    assert "picked on the curve" in browser.find_element(By.ID, "status").text


def test_the_curve_tells_what_was_measured(browser: Any, write_report: WriteReport) -> None:
    view(browser, write_report(SEVERAL))
    legend = browser.find_element(By.CSS_SELECTOR, ".chart .legend").text.split("\n")
    assert {"model", "measured, fit", "measured, held out", "stripped by the filter"} <= set(legend)
    notes = browser.find_element(By.CSS_SELECTOR, ".chart .infolayer").text
    assert "dead band: too close to call" in notes
    assert "measured up to ×3" in notes


def test_hostile_names_are_only_text(browser: Any, write_report: WriteReport) -> None:
    hostile = [
        "</script><script>window.hacked=1</script>",
        "<img src=x onerror=window.hacked=1>",
        "<a href='https://a.test'>b</a> &lt;",
        "a\u202eb",
        "{{data}}",
    ]
    visible = [name.replace("\u202e", "<U+202E>") for name in hostile]
    view(browser, write_report(module(*(kernel(name, 3) for name in hostile))))
    assert names(browser) == visible
    for row in browser.find_elements(By.CSS_SELECTOR, ".open"):
        row.click()
    x, y = point(browser, "{{data}}")
    ActionChains(browser).move_to_element_with_offset(browser.find_element(By.CSS_SELECTOR, ".chart"), x, y).perform()
    hover = browser.find_element(By.CSS_SELECTOR, ".chart .hoverlayer").text
    assert [name for name in visible if f"@{name}" not in hover] == [hostile[0]], "which is shown without its middle"
    assert script(browser, "return window.hacked") is None
    assert browser.get_log("browser") == []
    assert "\u202e" not in browser.page_source


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_is_cut_off_and_all_text_is_legible(
    browser: Any, write_report: WriteReport, size: tuple[int, int], dark: bool
) -> None:
    view(browser, write_report(SEVERAL), size, dark=dark)
    browser.find_elements(By.CSS_SELECTOR, ".open")[2].click()
    assert script(browser, "return document.documentElement.scrollWidth") <= size[0]
    cut = """
        return [...document.querySelectorAll('button, .badge, dd, #kernels bdi, h1, h2')].filter((e) => {
          const box = e.getBoundingClientRect();
          return box.width && (box.left < -1 || box.right > innerWidth + 1);
        }).map((e) => e.outerHTML)
    """
    assert script(browser, cut) == []
    assert contrasts(browser) == []


def contrasts(browser: Any) -> list[tuple[str, float]]:
    """Texts with less contrast than the 4.5 of WCAG 2, level AA."""
    found: list[list[str]] = script(
        browser,
        """
        const behind = (e) => {
          for (; e; e = e.parentElement) {
            const color = getComputedStyle(e).backgroundColor;
            if (color !== 'rgba(0, 0, 0, 0)') return color;
          }
          return 'rgb(255, 255, 255)';
        };
        const texts = 'h1, p, dt, dd, small, .badge, .illegal, .open, pre span, #verdicts button';
        return [...document.querySelectorAll(texts)]
          .filter((e) => e.offsetWidth && e.textContent.trim())
          .map((e) => [e.textContent, getComputedStyle(e).color, behind(e)]);
        """,
    )
    assert found
    pairs = [(text, _contrast(_luminance(front), _luminance(back))) for text, front, back in found]
    return [(text, contrast) for text, contrast in pairs if contrast < 4.5]


def _luminance(color: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    channels = [int(channel) / 255 for channel in re.findall(r"\d+", color)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def test_the_theme_follows_the_system_until_it_is_chosen(browser: Any, write_report: WriteReport) -> None:
    def background() -> float:
        return _luminance(script(browser, "return getComputedStyle(document.body).backgroundColor"))

    view(browser, write_report(SEVERAL), dark=True)
    assert background() < 0.1
    theme = browser.find_element(By.ID, "theme")
    theme.click()
    assert (theme.text, background() > 0.9) == ("Theme: light", True)
    theme.click()
    assert (theme.text, background() < 0.1) == ("Theme: dark", True)
    theme.click()
    assert (theme.text, background() < 0.1) == ("Theme: system", True)


def test_print_shows_every_kernel_in_words(browser: Any, write_report: WriteReport) -> None:
    many = module(*(kernel(f"k{index}", 1 + index % 3) for index in range(60)))
    view(browser, write_report(many), dark=True, media="print")
    assert len(names(browser)) == 25
    script(browser, "dispatchEvent(new Event('beforeprint'))")
    assert len(names(browser)) == 60
    assert not browser.find_element(By.ID, "filters").is_displayed()
    assert set(column(browser, 5)) == {"≈ too close to call", "▼ slower"}
    script(browser, "dispatchEvent(new Event('afterprint'))")
    assert len(names(browser)) == 25


def test_ten_thousand_kernels(browser: Any, write_report: WriteReport) -> None:
    tiles = [f"{rows}x16xf32" for rows in range(1, 65)]
    many = module(*(kernel(f"k{index}", 1 + index % 5, tiles[index % 64]) for index in range(10_000)))
    page = write_report(many)
    assert page.stat().st_size < 16 * 2**20
    view(browser, page)
    assert len(names(browser)) == 25
    assert browser.find_element(By.ID, "status").text == "10,000 kernels"
    points = script(browser, "return document.querySelector('.chart').data.reduce((n, t) => n + t.x.length, 0)")
    assert points < 1000
    seconds = script(
        browser,
        """
        const start = performance.now();
        document.querySelector('#kernels thead th:nth-child(4) button').click();
        document.getElementById('text').value = 'k99';
        document.getElementById('text').dispatchEvent(new Event('input'));
        document.body.offsetHeight;
        return (performance.now() - start) / 1000;
        """,
    )
    assert seconds < 2
    assert browser.find_element(By.ID, "status").text == "111 of 10,000 kernels"
    browser.find_element(By.ID, "next").click()
    assert browser.find_element(By.ID, "range").text == "26 to 50 of 111"
    assert browser.get_log("browser") == []
