"""What a site asks of robots: robots.txt after RFC 9309, and the directives of single pages.

Nothing here touches the network: the caller brings bodies and status codes. Where the RFC leaves a choice we read as Google's
public parser does (typing errors, missing colons, lines that do not close a group). A rule is asked about for every URL, so the
rules of an agent are compiled once: plain prefixes into a sorted list with a pointer to the next shorter one (a question costs
one bisection), patterns with `*` or `$` into their literal parts, found one after another, in time linear in the path.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from time import time
from typing import NamedTuple

from trasmallo.crawl.dates import parse_date
from trasmallo.values.model import Failure, Outcome

SIZE_LIMIT = 500 * 1024
"""Bytes of a robots.txt that are read; RFC 9309, 2.5 asks for at least these."""

LINE_LIMIT = 16_664
"""Bytes of one line that are read: eight times the longest URL that browsers once took, as Google's parser does."""

SITEMAP_LIMIT = 10_000
"""Sitemaps of one robots.txt that are kept."""

_OF_THE_SERVER = frozenset(
    {Outcome.PRIVATE, Outcome.NO_NETWORK, Outcome.NO_HOST, Outcome.UNREACHABLE, Outcome.TIMED_OUT, Outcome.TLS}
)
_USER_AGENT = frozenset({"user-agent", "useragent", "user agent"})
_ALLOW = frozenset({"allow"})
_DISALLOW = frozenset({"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"})
_SITEMAP = frozenset({"sitemap", "site-map"})
_DELAY = frozenset({"crawl-delay", "crawldelay", "crawl delay"})

_product_token = re.compile(r"[A-Za-z_-]*").match
_is_plain_url = re.compile(r"https?://[^/?#]+(/[A-Za-z0-9._~!&()+,;=:@/?\[\]-]*)").fullmatch
_split_url = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?([^#]*)").match
_ESCAPABLE = re.compile(r"%([0-9A-Fa-f]{2})|[^A-Za-z0-9._~!&()+,;=:@/?\[\]%-]")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_QUERY_ESCAPES = re.compile(r"%(?:2F|3A)")


class Verdict(NamedTuple):
    """Whether a URL may be asked for, and the line that says so; line 0 is no line of the file, "" no reason at all."""

    allowed: bool
    line: int
    text: str

    @property
    def cause(self) -> str:
        """The reason in words for the incidents report, "" when no rule matched."""
        return f"robots.txt line {self.line}: {self.text}" if self.line else self.text


_Entry = tuple[str, bool, int, str]
"""A rule as read: its pattern in octets, whether it allows, its line number and text; most are of agents nobody asks for."""

_Groups = dict[str, list[_Entry]]


class _Rule:
    """One Allow or Disallow. `rank` is the length of its pattern in octets, by which the most specific rule wins."""

    __slots__ = ("allow", "anchored", "line", "parts", "rank", "text")

    def __init__(self, pattern: str, allow: bool, line: int, text: str) -> None:
        self.allow, self.line, self.text = allow, line, text
        self.anchored = pattern.endswith("$")
        path, mark, query = _escaped(pattern[:-1] if self.anchored else pattern, keep="*").partition("?")
        normal = path + mark + _QUERY_ESCAPES.sub(_unescaped, query)
        self.parts = normal.split("*")
        self.rank = len(normal) + self.anchored

    @property
    def is_prefix(self) -> bool:
        return len(self.parts) == 1 and not self.anchored

    def matches(self, path: str) -> bool:
        """Whether the whole pattern matches, each part taken at its first place: later places can only leave less room."""
        head, *rest = self.parts
        if not path.startswith(head):
            return False
        if not rest:
            return not self.anchored or path == head
        tail = rest.pop() if self.anchored else ""
        at = len(head)
        for part in rest:
            at = path.find(part, at)
            if at < 0:
                return False
            at += len(part)
        return len(path) - at >= len(tail) and path.endswith(tail)


class _Matcher:
    """The rules that one agent obeys, ready for questions."""

    __slots__ = ("_parents", "_patterns", "_prefixes", "_rules")

    def __init__(self, rules: Iterable[_Rule]) -> None:
        plain: dict[str, _Rule] = {}
        patterns: list[_Rule] = []
        for rule in rules:
            if not rule.is_prefix:
                patterns.append(rule)
            elif rule.parts[0] not in plain or (rule.allow and not plain[rule.parts[0]].allow):
                plain[rule.parts[0]] = rule
        self._prefixes = sorted(plain)
        self._rules = [plain[prefix] for prefix in self._prefixes]
        self._parents = _parents(self._prefixes)
        patterns.sort(key=lambda rule: (-rule.rank, not rule.allow))
        self._patterns = [(max(rule.parts, key=len), rule) for rule in patterns]

    def decide(self, path: str) -> _Rule | None:
        """The rule that wins for a path, None when none matches."""
        # Whatever sorts between the longest matching prefix and the path begins with that prefix too, so it is the path's
        # predecessor or one of the prefixes of the predecessor.
        prefixes = self._prefixes
        at = bisect_right(prefixes, path) - 1
        while at >= 0 and not path.startswith(prefixes[at]):
            at = self._parents[at]
        best = self._rules[at] if at >= 0 else None
        for needle, rule in self._patterns:
            if needle in path and rule.matches(path):
                return rule if best is None or (rule.rank, rule.allow) > (best.rank, best.allow) else best
        return best


def _parents(prefixes: list[str]) -> list[int]:
    """For each of the sorted strings the index of the longest other one that it begins with, -1 without one."""
    parents: list[int] = []
    for at, prefix in enumerate(prefixes):
        parent = at - 1
        while parent >= 0 and not prefix.startswith(prefixes[parent]):
            parent = parents[parent]
        parents.append(parent)
    return parents


class Robots:
    """The rules of one origin (RFC 9309).

    `sitemaps` are addresses as written in the file. `temporary` says that these rules stand in for a file that could not be
    had and should be asked for again soon; `failure` is why, when the server itself cannot be had: then no page of it can.
    `public` says that they came from a public address, so that they may name nothing private.
    """

    __slots__ = ("_delays", "_groups", "_matchers", "failure", "public", "sitemaps", "temporary")

    def __init__(self, groups: _Groups, delays: dict[str, float], sitemaps: Iterable[str], temporary: bool) -> None:
        self._groups, self._delays = groups, delays
        self._matchers: dict[str, _Matcher] = {}
        self.sitemaps = tuple(sitemaps)
        self.temporary = temporary
        self.failure: Failure | None = None
        self.public = True

    @classmethod
    def parse(cls, body: bytes, agent: str = "") -> Robots:
        """Read a robots.txt; any bytes will do. With `agent`, only the rules it must obey are kept, to save memory."""
        reader = _Reader()
        for number, line in enumerate(_lines(body), 1):
            reader.read(number, line)
        groups = reader.groups
        if agent:
            obeyed = _obeyed(groups, agent)
            groups = {name: rules for name, rules in groups.items() if name == obeyed}
        return cls(groups, reader.delays, reader.sitemaps, temporary=False)

    @classmethod
    def for_status(cls, status: int, body: bytes, agent: str = "") -> Robots:
        """The rules that an answer to /robots.txt means (RFC 9309, 2.3.1).

        2xx is parsed; a client error, or a redirect that led nowhere after the five hops the caller followed, is a site
        without rules; 429, a server error and anything else close the site for now.
        """
        if 200 <= status < 300:
            return cls.parse(body, agent)
        if 300 <= status < 500 and status != 429:
            return cls({}, {}, (), temporary=False)
        return cls._closed(f"robots.txt answered {status}")

    @classmethod
    def unreachable(cls, failure: Failure | None = None) -> Robots:
        """The rules while robots.txt cannot be had: nothing is allowed, and it should be asked for again."""
        robots = cls._closed("robots.txt could not be reached" + (f": {failure.cause}" if failure else ""))
        robots.failure = failure if failure and failure.outcome in _OF_THE_SERVER else None
        return robots

    @classmethod
    def _closed(cls, cause: str) -> Robots:
        return cls({"*": [("/", False, 0, cause)]}, {}, (), temporary=True)

    def allows(self, url: str, agent: str) -> bool:
        """Whether `agent` ("name" or "name/1.0 ...") may ask for an absolute URL."""
        matcher = self._matchers.get(agent) or self._compiled(agent)
        plain = _is_plain_url(url)
        if plain is None:
            return self.verdict(url, agent).allowed
        path = plain[1]
        rule = matcher.decide(path)
        return rule is None or rule.allow or path == "/robots.txt"

    def verdict(self, url: str, agent: str) -> Verdict:
        """The same as `allows`, with the line that decides."""
        matcher = self._matchers.get(agent) or self._compiled(agent)
        path, *again = _paths(url)
        if path == "/robots.txt":
            return Verdict(True, 0, "")
        rule = matcher.decide(path)
        for other in again:
            second = matcher.decide(other)
            if second and (rule is None or (second.rank, second.allow) > (rule.rank, rule.allow)):
                rule = second
        return Verdict(rule.allow, rule.line, _shown(rule.text)) if rule else Verdict(True, 0, "")

    def delay(self, agent: str) -> float | None:
        """Seconds between requests that the site asks of `agent` (Crawl-delay), None when it does not say."""
        return self._delays.get(_obeyed(self._groups, agent))

    def _compiled(self, agent: str) -> _Matcher:
        entries = self._groups.get(_obeyed(self._groups, agent), ())
        matcher = self._matchers[agent] = _Matcher(_Rule(*entry) for entry in entries)
        return matcher


class _Reader:
    """Sorts lines into groups. Lines are octets, one character each."""

    def __init__(self) -> None:
        self.groups: _Groups = {}
        self.delays: dict[str, float] = {}
        self.sitemaps: dict[str, None] = {}
        self._agents: list[str] = []
        self._ruled = False

    def read(self, number: int, line: str) -> None:
        key, value = _key_and_value(line)
        if key in _USER_AGENT:
            self._open(value)
        elif key in _DISALLOW or key in _ALLOW:
            self._add(value, key in _ALLOW, number, line)
        elif key in _SITEMAP:
            if value and len(self.sitemaps) < SITEMAP_LIMIT:
                self.sitemaps.setdefault(_shown(value))
        elif key in _DELAY:
            self._slow(value)

    def _open(self, value: str) -> None:
        if self._ruled:
            self._agents, self._ruled = [], False
        name = "*" if value.split(maxsplit=1)[:1] == ["*"] else _token(value)
        self._agents.append(name)
        self.groups.setdefault(name, [])

    def _add(self, pattern: str, allow: bool, number: int, text: str) -> None:
        self._ruled = bool(self._agents)
        if not pattern or not self._agents:
            return
        rules = [(pattern, allow, number, text)]
        folder, slash, name = pattern.rpartition("/")
        if allow and slash and name.startswith("index.htm"):
            # Whoever allows the index page means the folder's own address, under which it is asked for.
            rules.append((folder + "/$", allow, number, text))
        for agent in dict.fromkeys(self._agents):
            self.groups[agent].extend(rules)

    def _slow(self, value: str) -> None:
        try:
            seconds = float(value)
        except ValueError:
            return
        if 0 <= seconds < float("inf"):
            for agent in self._agents:
                self.delays.setdefault(agent, seconds)


def _lines(body: bytes) -> Iterable[str]:
    """The lines as octets, one character each; a line that the size limit cuts is left out: its rule would say too much."""
    kept = body[:SIZE_LIMIT].removeprefix(b"\xef\xbb\xbf")
    lines = kept.splitlines()
    if len(body) > SIZE_LIMIT and not kept.endswith((b"\n", b"\r")):
        lines = lines[:-1]
    return (line[:LINE_LIMIT].decode("latin-1") for line in lines)


def _key_and_value(line: str) -> tuple[str, str]:
    """Name (in lower case) and value of a line; a lone blank may stand for the colon."""
    line = line.partition("#")[0].strip(" \t\v\f\0")
    key, colon, value = line.partition(":")
    if not colon:
        words = line.split()
        if len(words) != 2:
            return "", ""
        key, value = words
    return key.strip().lower(), value.strip()


def _token(agent: str) -> str:
    found = _product_token(agent.strip())
    return found[0].lower() if found else ""


def _obeyed(groups: _Groups, agent: str) -> str:
    """The name of the group that an agent obeys: its own, else everybody's."""
    token = _token(agent)
    return token if token and token in groups else "*"


def _shown(octets: str) -> str:
    return octets.strip(" \t\v\f\0").encode("latin-1").decode("utf-8", "replace")


def _unescaped(escape: re.Match[str]) -> str:
    return chr(int(escape[0][1:], 16))


def _escaped(octets: str, keep: str = "") -> str:
    """The one way of writing a path: unreserved octets bare, all that is not plain as %XX in capitals, `keep` untouched."""

    def tidy(match: re.Match[str]) -> str:
        if not match[1]:
            return match[0] if match[0] in keep else f"%{ord(match[0]):02X}"
        character = _unescaped(match)
        return character if _UNRESERVED.match(character) else match[0].upper()

    return _ESCAPABLE.sub(tidy, octets)


def _paths(url: str) -> list[str]:
    """Path and query of a URL as rules see them; a query that escapes `/` or `:` also without (RFC 9309, 2.2.2)."""
    found = _split_url(url)
    rest = found[1] if found else ""
    octets = rest.encode("utf-8", "surrogatepass").decode("latin-1")
    path = _escaped(octets if octets.startswith("/") else "/" + octets)
    before, mark, query = path.partition("?")
    bare = _QUERY_ESCAPES.sub(_unescaped, query)
    return [path] if bare == query else [path, before + mark + bare]


_DIRECTIVE = re.compile(r"no[a-z-]{2,30}|none")
_VALUED = frozenset({"max-snippet", "max-image-preview", "max-video-preview"})
_EXPIRY = re.compile(r"unavailable_after\s*:\s*((?:[A-Za-z]+,\s*)?[^,]*)", re.IGNORECASE)
_DIRECTIVES_LIMIT = 4_096  # judgement: characters of a directive's value that are read


def page_directives(
    meta: Iterable[tuple[str, str]], x_robots_tag: Iterable[str], agent: str, now: float | None = None
) -> frozenset[str]:
    """What a page asks of `agent`: "noindex", "nofollow", "noarchive"...; "none" comes as the first two.

    `meta` are names and contents of the page's meta elements, of which "robots" and the agent's own count; `x_robots_tag` the
    values of that header, whose directives may follow an agent's name ("otherbot: noindex"). The strictest of all holds. A
    page whose unavailable_after has passed at `now` (None: by the clock) is noindex.
    """
    token = _token(agent)
    when = time() if now is None else now
    found: set[str] = set()
    for name, content in meta:
        if name.strip().lower() in ("robots", token):
            found |= _directives(content, "", when)
    for value in x_robots_tag:
        found |= _directives(value, token, when)
    if "none" in found:
        found = (found - {"none"}) | {"noindex", "nofollow"}
    return frozenset(found)


def _directives(content: str, agent: str, now: float) -> set[str]:
    """The words of one list; with `agent`, those under another agent's name are left out."""
    found: set[str] = set()
    meant = True
    for part in _EXPIRY.sub(lambda match: _expiry(match[1], now), content[:_DIRECTIVES_LIMIT]).lower().split(","):
        name, colon, word = part.partition(":")
        if colon and name.strip() not in _VALUED:
            meant = not agent or name.strip() in (agent, "robots", "*")
        word = (word if colon else name).strip()
        if meant and _DIRECTIVE.fullmatch(word):
            found.add(word)
    return found


def _expiry(date: str, now: float) -> str:
    at = parse_date(date)
    return "noindex" if at is not None and at <= now else ""
