"""The languages of the page: the same words in each, one of them loaded, picked by the browser or by the player."""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import companion.rules.rematch
import web
from companion.rules.rematch.chains import judge
from companion.rules.rematch.tray import CELLS, Tray
from tests.web.conftest import PORTRAIT, Served
from tests.web.fakes import FakeTable, a_state, refused
from tests.web.test_announce import LISTEN
from tests.web.test_pictures import a_fight, clear
from web.app import create_app
from web.language import COOKIE, LANGUAGES, WORDS

STATIC = Path(web.__file__).parent / "static"
ENGLISH = next(iter(LANGUAGES))
OTHERS = [language for language in LANGUAGES if language != ENGLISH]
GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}

# what a module holds, by its shape: names of keys, and of what kind each value is
SHAPE = """
async ([language, names]) => {
  const shape = (value) => {
    if (typeof value === "function") return `function of ${value.length}`;
    if (Array.isArray(value)) return value.map(shape);
    if (value === null || typeof value !== "object") return typeof value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shape(one)]));
  };
  const found = {};
  for (const name of names) found[name] = shape({ ...(await import(`/words/${name}.js`)) });
  return found;
}
"""


@pytest.fixture
def client() -> FlaskClient:
    return create_app(FakeTable(a_state())).test_client()


def files(language: str) -> list[str]:
    return sorted(path.name for path in (WORDS / language).iterdir())


def opened(new_page: Callable[..., Any], url: str, language: str, path: str = "") -> Any:
    page = new_page(PORTRAIT, locale=language)
    page.goto(f"{url}{path}")
    return page


@pytest.mark.parametrize("language", OTHERS)
def test_the_templates_have_the_same_words(language: str) -> None:
    told = [json.loads((WORDS / one / "server.json").read_text("utf-8")) for one in (ENGLISH, language)]
    assert told[0].keys() == told[1].keys()
    assert all(text.strip() for text in told[1].values())


@pytest.mark.browser
@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_words(
    serve: Callable[..., Served], new_page: Callable[..., Any], language: str
) -> None:
    names = [name.removesuffix(".js") for name in files(ENGLISH) if name.endswith(".js")]
    url = serve(FakeTable(None)).url
    shapes = [opened(new_page, url, one).evaluate(SHAPE, [one, names]) for one in (ENGLISH, language)]
    assert set(files(ENGLISH)) <= set(files(language))
    for name in names:
        assert shapes[1][name] == shapes[0][name], name


def test_no_sentence_stands_outside_the_words() -> None:
    spoken = re.compile(r'["`](?:[A-Z][a-z]+[ ,.!?’][^"`]*|[A-Z][a-z]{3,}|[A-Z]{5,})["`]|>\s*[A-Z][a-z]+ [a-z]')
    # names of the browser's: keys, events, methods
    ours = re.compile(r'"(?:Escape|Enter|Space|Home|End|Arrow\w+|Content-Type|Frame)"')
    places = [*STATIC.glob("*.js"), *(STATIC.parent / "templates").glob("*.html")]
    found = []
    for place in places:
        text = re.sub(r"^\s*(?://|\*|/\*).*$|//[^\"\n]*$", "", place.read_text("utf-8"), flags=re.MULTILINE)
        found += [(place.name, hit.group()) for hit in spoken.finditer(text) if not ours.search(hit.group())]
    assert found == []


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({}, "en"),
        ({"Accept-Language": "fr"}, "en"),
        (GERMAN, "de"),
        ({"Accept-Language": "en-GB,en;q=0.9,de;q=0.8"}, "en"),
        ({**GERMAN, "kept": "en"}, "en"),
        ({"kept": "de"}, "de"),
        ({"kept": "../../etc"}, "en"),
    ],
)
def test_the_device_gets_its_language(client: FlaskClient, headers: dict[str, str], language: str) -> None:
    headers = dict(headers)
    if kept := headers.pop("kept", None):
        client.set_cookie(COOKIE, kept)
    page, words = client.get("/", headers=headers), client.get("/words/page.js", headers=headers)
    assert f'<html lang="{language}"' in page.text
    assert words.data == (WORDS / language / "page.js").read_bytes()
    for answer in (page, words):
        assert {"Cookie", "Accept-Language"} <= set(answer.vary)
        assert answer.headers["Cache-Control"] == "no-cache"
        again = client.get(answer.request.path, headers={**headers, "If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304


def test_a_pick_is_kept_and_leads_nowhere_else(client: FlaskClient) -> None:
    answer = client.get("/watch?overlay&language=de")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/watch?overlay")
    assert "Max-Age=34560000" in answer.headers["Set-Cookie"]
    assert '<html lang="de"' in client.get("/watch?overlay").text
    for path in ("/?language=fr", "/nothing?language=de"):
        assert "Set-Cookie" not in client.get(path).headers, path
    astray = client.get("/?language=de", environ_overrides={"PATH_INFO": "//elsewhere.example/"})
    assert "elsewhere" not in astray.headers.get("Location", "").split("/")[:3]
    for path in ("/words/server.json", "/words/nothing.js", "/words/..%2Fen%2Fpage.js"):
        assert client.get(path).status_code == 404, path


@pytest.mark.browser
@pytest.mark.parametrize("path", ["", "watch", "seen", "records"])
def test_a_page_loads_one_language(serve: Callable[..., Served], new_page: Callable[..., Any], path: str) -> None:
    page = opened(new_page, serve(FakeTable(a_state())).url, "de", path)
    page.wait_for_function("() => document.body.innerText.trim().length > 0")
    assert page.locator("html").get_attribute("lang") == "de"
    names = page.evaluate("() => performance.getEntriesByType('resource').map((one) => one.name)")
    assert not [name for name in names if "/words/en" in name]
    # the words that any of these would show in English
    assert not re.search(r"\b(?:the|turn|Matches|Tray|marbles?)\b", page.locator("body").inner_text())


@pytest.mark.browser
def test_the_menu_switches_and_the_device_keeps_it(serve: Callable[..., Served], new_page: Callable[..., Any]) -> None:
    from playwright.sync_api import expect

    table = FakeTable(a_state())
    page = opened(new_page, serve(table).url, "en")
    expect(page.locator(".marquee")).to_contain_text("A’s turn")
    page.tap("#menu")
    page.tap('[data-language="de"]')
    expect(page.locator(".marquee")).to_contain_text("A ist am Zug")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    # what the companion says is told in it as well; the unknown stays as it came, under what its code says
    table.replies = [refused("not_your_turn", "It is player B's turn, not player A's."), refused("not_now", "Odd.")]
    for told in ("Spieler B ist am Zug, nicht Spieler A.", "Das geht jetzt nicht: Odd."):
        page.tap("#end-turn")
        expect(page.locator("#say")).to_contain_text(told)


@pytest.mark.browser
@pytest.mark.parametrize("language", OTHERS)
def test_every_reason_why_a_clear_is_none_is_told(
    serve: Callable[..., Served], new_page: Callable[..., Any], language: str
) -> None:
    page = opened(new_page, serve(FakeTable(None)).url, language)
    dice = random.Random(6)
    told: dict[str, str] = {}
    for _ in range(1500):
        letters = "".join(dice.choices("RYB.?", (30, 30, 30, 5, 2), k=15))
        tray = Tray.parse(f"{letters[:5]}/{letters[5:10]}/{letters[10:]}")
        cells = dice.choices(CELLS, k=dice.randint(1, 5))
        attack = dice.choice([None, None, "R1", "Y2", "B4"])
        broken = dice.choice(["", "R", "YB"])
        reasons = judge(tray, dice.choice("AB"), cells, broken, attack, dice.random() < 0.5).reasons
        told |= {reason.text: reason.code for reason in reasons}
    assert len(set(told.values())) >= 11
    english = page.evaluate(
        "async (texts) => { const { words } = await import('/words/page.js'); return texts.filter((text) =>"
        " words.said(text) === text); }",
        list(told),
    )
    assert english == [], english


@pytest.mark.browser
@pytest.mark.parametrize("language", OTHERS)
def test_what_the_table_asks_is_told(serve: Callable[..., Served], new_page: Callable[..., Any], language: str) -> None:
    """The questions that the game can put, as its source has them; what changes in one stands for itself."""
    rules = Path(companion.rules.rematch.__file__).parent
    places = [rules / f"{name}.py" for name in ("watch", "doubts", "goes", "choosing")]
    places.append(rules.parents[1] / "rematch_acts.py")
    asked = re.compile(r'(?<!")f?"([A-Z](?:[^"\\]|\\.)*\?)"')
    texts = {text for place in places for text in asked.findall(place.read_text("utf-8"))}
    texts = {text.replace("view{counted}", "view: {counted} dropped") for text in texts}
    sentences = sorted(re.sub(r"\{(?:[^{}']|'[^']*')*\}", "a3", text) for text in texts)
    assert len(sentences) > 10
    # what was found at the start, and what came of an entry in the history
    sentences += re.findall(r'return "([A-Z][^"]*)"', (rules.parents[1] / "attached.py").read_text("utf-8"))
    sentences += ["2 to Red of B, now 7; 6 to Blue of B, which breaks.", "Red-2.", "A wins: B cannot pay"]
    page = opened(new_page, serve(FakeTable(None)).url, language)
    english = page.evaluate(
        "async (texts) => { const { words } = await import('/words/page.js'); return texts.filter((text) =>"
        " words.said(text) === text); }",
        sentences,
    )
    assert english == [], english


COMPOSED = {
    "Ann",
    "AnnAnn",
    "Ann.",
    "Ann Ann and does not react.",
    "Ann; it may Ann.",
    "announce: a move needs Ann.",
    "Ann Ann: keep the card, or discard it.",
    "Ann can have Ann cards, not Ann.",
    "Ann is no card of Ann revealed green stack.",
    "First Ann.",
    "In this mode a totem is Ann.",
    "There are only Ann of Ann.",
    "There is Ann in Chaos Mode alone.",
}
"""Of these the source shows a part only."""


def refusals(game: str) -> list[str]:
    """What a game refuses as its source has it, Ann for what changes; without what only a malformed command gets."""

    def text(node: ast.expr) -> str:
        if isinstance(node, ast.JoinedStr):
            return "".join(text(one) for one in node.values)
        if isinstance(node, ast.FormattedValue):
            return "'Ann'" if node.conversion == ord("r") else "Ann"
        return str(node.value) if isinstance(node, ast.Constant) else "Ann"

    found = set()
    for path in sorted((Path(companion.rules.rematch.__file__).parents[1] / game).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if made and node.func.id in ("Rejection", "Refused") and text(node.args[0]) != "bad_command":
                found.add(text(node.args[1]))
    return sorted(found)


@pytest.mark.browser
@pytest.mark.parametrize("game", ["react", "reactions", "reinforcements"])
@pytest.mark.parametrize("language", OTHERS)
def test_what_a_further_game_refuses_is_told(
    serve: Callable[..., Served], new_page: Callable[..., Any], language: str, game: str
) -> None:
    page = opened(new_page, serve(FakeTable(None)).url, language)
    texts = refusals(game)
    assert len(texts) > 25
    english = page.evaluate(
        "async ([game, texts]) => { const { inGerman } = await import('/words/told.js');"
        " await import(`/words/${game}.js`); return texts.filter((text) => inGerman(text) === null); }",
        [game, texts],
    )
    assert set(english) <= COMPOSED, set(english) - COMPOSED


@pytest.mark.browser
def test_lines_are_spoken_in_the_language_of_the_page(
    serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    table = FakeTable(a_fight())
    page = new_page(PORTRAIT, locale="de")
    page.add_init_script(
        LISTEN + "window.tongues = []; speechSynthesis.speak = (line) => { window.said.push(line.text);"
        " window.tongues.push(line.lang); };"
    )
    page.goto(serve(table).url)
    page.tap("#menu")
    page.tap('[data-do="voice"]')
    page.keyboard.press("Escape")
    clear(page, table)
    page.wait_for_function("() => window.said.some((text) => text.includes('A räumt Rot 2'))")
    assert set(page.evaluate("window.tongues")) == {"de"}
