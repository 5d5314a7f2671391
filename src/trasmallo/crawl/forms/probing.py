"""Asks the search forms that the user has switched on, a question at a time, and follows their results.

1. The first question is a word that cannot exist: what stands on its answer stands on every answer, and is no result.
2. Then the values of lists to choose from, then words, as `query_choice` finds them in what has come.
   Without a word left it waits for further pages of the site to show some.
3. Pages of results behind the first are asked for as long as they bring something new.
4. It ends when the budget is spent, when answers repeat, or when no word promises anything more.

Everything asked is an address of a GET form, given to the frontier as any other: scope, robots.txt and rests hold for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import msgspec

from trasmallo.crawl.forms.query_choice import QueryChooser
from trasmallo.crawl.forms.result_pages import links_of, read_results
from trasmallo.crawl.forms.site_words import SiteWords
from trasmallo.crawl.forms.web_forms import WebForm

NOWHERE = "xqzvwkjh"
"""A word that no page has."""
NO_WORD = "no word promises anything more"
IN_VAIN = 50
"""Questions in a row that brought nothing new, after which answers repeat. Judgement."""
MOST_CHOICES = 100  # judgement: values of lists that are asked for
_BARREN_PAGES = 2  # judgement: pages of results in a row without anything new, behind which no more are asked for


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """What asking one form has brought: requests spent, documents found, and how many there may be by overlap."""

    action: str
    requests: int
    questions: int
    found: int
    estimate: float
    ended: str = ""

    @property
    def left(self) -> float:
        """Documents that may still be hidden."""
        return max(0.0, self.estimate - self.found)


class FormProber:
    """Asks one form. `next_addresses` after each answer says what to ask for; nothing means that it waits, or is done."""

    def __init__(self, form: WebForm, budget: int, first_words: Iterable[str] = (), site: SiteWords | None = None) -> None:
        self.form = form
        self._budget = budget
        self._chooser = QueryChooser(first_words, site)
        self._choices = deque(_choices(form))
        self._waiting: deque[str] = deque()
        self._asked: dict[str, None] = {}
        self._all: set[str] = set()
        self._frame: frozenset[str] | None = None
        self._in_vain = self._questions = self._requests = self._barren = self._of_question = 0
        self._new_of_question = 0
        self._whole = True
        self.ended = ""

    def begin(self) -> list[str]:
        """The first address to ask for."""
        return self._take(self.form.address(NOWHERE))

    def asks_for(self, url: str) -> bool:
        """Whether an address is a question of this form that nobody has answered yet."""
        return url in self._asked

    def take(self, url: str, content: bytes) -> list[str]:
        """Take in the answer to a question, and give the next addresses to ask for."""
        self._asked.pop(url, None)
        if self._frame is None:
            self._frame = links_of(content, url)
            return self._next_question()
        page = read_results(content, url, self.form.query_field, self._frame)
        new = self._chooser.learn(page.documents)
        self._of_question += len(page.documents)
        self._new_of_question += new
        self._barren = 0 if new else self._barren + 1
        if page.documents and self._barren < _BARREN_PAGES:
            self._waiting.extend(to for to in page.further if to not in self._waiting)
        elif self._waiting:
            self._whole = False
            self._waiting.clear()
        return self._next_page() or self._next_question()

    def hear(self) -> list[str]:
        """A page of the site has shown further words: the next question, where it waits for one."""
        if self.ended != NO_WORD or self._asked:
            return []
        self.ended = ""
        return self._ask()

    def fail(self, url: str) -> list[str]:
        """A question was not answered; the next one is asked."""
        self._asked.pop(url, None)
        return self._next_page() or self._next_question()

    @property
    def coverage(self) -> Coverage:
        """Where it stands."""
        chooser = self._chooser
        return Coverage(
            action=self.form.action,
            requests=self._requests,
            questions=self._questions,
            found=len(chooser.documents),
            estimate=round(chooser.estimate, 1) if chooser.documents else 0.0,
            ended=self.ended,
        )

    @property
    def documents(self) -> set[str]:
        """The documents that its answers list."""
        return self._chooser.documents

    def _next_page(self) -> list[str]:
        while self._waiting:
            if asked := self._take(self._waiting.popleft()):
                return asked
        return []

    def _next_question(self) -> list[str]:
        """Another question, unless it is over."""
        self._end_question()
        return self._ask()

    def _ask(self) -> list[str]:
        while not self.ended:
            if self._in_vain >= IN_VAIN:
                self.ended = f"the last {IN_VAIN} questions brought nothing new"
                break
            address = self._next_address()
            if address is None:
                self.ended = NO_WORD
                break
            if asked := self._take(address):
                self._questions += 1
                return asked
        return []

    def _end_question(self) -> None:
        if self._questions:
            self._chooser.end_question(self._of_question, self._new_of_question, whole=self._whole)
            self._in_vain = 0 if self._new_of_question else self._in_vain + 1
        self._of_question = self._new_of_question = self._barren = 0
        self._whole = True

    def _next_address(self) -> str | None:
        if self._choices:
            return self.form.address("", (self._choices.popleft(),))
        word = self._chooser.next_word()
        return self.form.address(word) if word else None

    def _take(self, address: str | None) -> list[str]:
        if address is None or address in self._all:
            return []
        if self._requests >= self._budget:
            self.ended = f"its budget of {self._budget} requests is spent"
            return []
        self._requests += 1
        self._asked[address] = None
        self._all.add(address)
        return [address]


def _choices(form: WebForm) -> list[tuple[str, str]]:
    """The values of its lists, a question each."""
    lists = [field for field in form.fields if field.type == "select" and field.name]
    return [(field.name, option) for field in lists for option in field.options][:MOST_CHOICES]
