from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.effort import effort
from trasmallo.crawl.robots import LINE_LIMIT, SIZE_LIMIT, Robots, Verdict, page_directives

SITE = "http://foo.bar"


def allows(text: str, path: str, agent: str = "FooBot") -> bool:
    url = path if "://" in path else SITE + path
    robots = Robots.parse(text.encode())
    answer = robots.allows(url, agent)
    assert answer == robots.verdict(url, agent).allowed
    return answer


def ruled(*rules: str, path: str) -> bool:
    return allows("User-agent: FooBot\n" + "\n".join(rules), path)


class TestGroups:
    SIMPLE = """
        User-Agent: *
        Disallow: *.gif$
        Disallow: /example/
        Allow: /publications/

        User-Agent: foobot
        Disallow:/
        Allow:/example/page.html
        Allow:/example/allowed.gif

        User-Agent: barbot
        User-Agent: bazbot
        Disallow: /example/page.html

        User-Agent: quxbot
    """

    @pytest.mark.parametrize(
        ("agent", "path", "allowed"),
        [
            ("anybot", "/x.gif", False),
            ("anybot", "/example/", False),
            ("anybot", "/publications/x", True),
            ("anybot", "/publications/x.gif", True),
            ("foobot", "/publications/", False),
            ("foobot", "/example/page.html", True),
            ("foobot", "/example/allowed.gif", True),
            ("foobot", "/example/other.gif", False),
            ("barbot", "/example/page.html", False),
            ("bazbot", "/example/page.html", False),
            ("bazbot", "/x.gif", True),
            ("quxbot", "/example/", True),
            ("quxbot", "/x.gif", True),
        ],
    )
    def test_simple_example_of_the_rfc(self, agent: str, path: str, allowed: bool) -> None:
        assert allows(self.SIMPLE, path, agent) is allowed

    def test_longest_match_example_of_the_rfc(self) -> None:
        rules = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"
        assert not allows(rules, "/example/page/disallowed.gif")
        assert allows(rules, "/example/page/other.gif")

    def test_groups_of_one_agent_are_merged(self) -> None:
        text = "user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: x\ndisallow: /\n"
        text += "\nuser-agent: ExampleBot\ndisallow: /baz"
        assert [allows(text, path, "ExampleBot") for path in ("/foo", "/bar", "/baz", "/other")] == [False, False, False, True]

    def test_rules_before_any_agent_count_for_nothing(self) -> None:
        text = "Disallow: /x\nUser-agent: FooBot\nDisallow: /y\n"
        assert allows(text, "/x")
        assert not allows(text, "/y")
        assert allows("Disallow: /", "/")

    def test_empty_and_missing_file_allow_all(self) -> None:
        assert allows("", "/x", "FooBot")
        assert allows("User-agent: *\nAllow: /", "/x")

    def test_an_own_group_hides_the_general_one_even_when_it_is_empty(self) -> None:
        text = "user-agent: *\nallow: /x\ndisallow: /\nuser-agent: FooBot\n"
        assert allows(text, "/y", "FooBot")
        assert not allows(text, "/y", "BarBot")
        assert allows("user-agent: *\ndisallow: /x\nuser-agent: FooBot\nallow: /x/y", "/x", "FooBot")

    def test_several_agents_share_rules(self) -> None:
        text = "User-agent: FooBot\nDisallow: /x\nUser-agent: BarBot\nUser-agent: BazBot\nDisallow: /y\nUser-agent: Qux\n"
        assert [allows(text, "/x", agent) for agent in ("FooBot", "BarBot", "BazBot", "Qux")] == [False, True, True, True]
        assert [allows(text, "/y", agent) for agent in ("FooBot", "BarBot", "BazBot", "Qux")] == [True, False, False, True]

    @pytest.mark.parametrize("between", ["Sitemap: https://foo.bar/sitemap", "Invalid-Unknown-Line: unknown", "Crawl-delay: 5"])
    def test_other_lines_do_not_close_a_group(self, between: str) -> None:
        text = f"User-agent: BarBot\n{between}\nUser-agent: *\nDisallow: /\n"
        assert not allows(text, "/", "BarBot")
        assert not allows(text, "/", "FooBot")

    @pytest.mark.parametrize("name", ["user-agent", "USER-AGENT", "uSeR-aGeNt", "useragent", "user agent", "User-Agent "])
    def test_names_of_lines_in_any_case_and_usual_misspellings(self, name: str) -> None:
        assert not allows(f"{name}: FooBot\nDisallow: /\n", "/x")

    @pytest.mark.parametrize("name", ["disallow", "DISALLOW", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"])
    def test_misspelt_disallow(self, name: str) -> None:
        assert not ruled(f"{name}: /x", path="/x")

    def test_unknown_names_are_ignored(self) -> None:
        assert ruled("Deny: /", "Foo: /", path="/x")
        assert allows("foo: FooBot\nbar: /\n", "/x")

    def test_a_blank_may_stand_for_the_colon(self) -> None:
        assert not allows("user-agent FooBot\ndisallow /\n", "/x")
        assert allows("user-agent FooBot\ndisallow /x y\n", "/x")


class TestAgents:
    @pytest.mark.parametrize("value", ["FooBot", "foobot", "FOOBOT", "FooBot/2.1", "FooBot Bar", "FooBot\t", "FooBot # c"])
    def test_the_product_token_counts(self, value: str) -> None:
        text = f"User-agent: {value}\nDisallow: /\nUser-agent: *\nAllow: /"
        for agent in ("FooBot", "foobot", "FooBot/1.0", "FooBot/1.0 (+http://example.org)"):
            assert not allows(text, "/x", agent)

    @pytest.mark.parametrize("value", ["Foo", "FooBotX", "Foo-Bot", "Bar FooBot", "*FooBot", ""])
    def test_other_tokens_do_not(self, value: str) -> None:
        assert allows(f"User-agent: {value}\nDisallow: /", "/x")

    @pytest.mark.parametrize("value", ["*", "* ", "* foo", "*\tx"])
    def test_the_star_is_everybody(self, value: str) -> None:
        assert not allows(f"User-agent: {value}\nDisallow: /", "/x")

    def test_an_agent_without_a_name_obeys_the_general_rules(self) -> None:
        assert not allows("User-agent: *\nDisallow: /", "/x", "")


class TestMatching:
    @pytest.mark.parametrize(
        ("rules", "path", "allowed"),
        [
            (["Disallow: /x/page.html", "Allow: /x/"], "/x/page.html", False),
            (["Allow: /x/page.html", "Disallow: /x/"], "/x/page.html", True),
            (["Allow: /x/page.html", "Disallow: /x/"], "/x/", False),
            (["Disallow:", "Allow:"], "/x/page.html", True),
            (["Disallow: /", "Allow: /"], "/x/page.html", True),
            (["Disallow: /x", "Allow: /x/"], "/x", False),
            (["Disallow: /x", "Allow: /x/"], "/x/", True),
            (["Allow: /page", "Disallow: /*.html"], "/page.html", False),
            (["Allow: /page", "Disallow: /*.html"], "/page", True),
            (["Allow: /x/page.", "Disallow: /*.html"], "/x/page.html", True),
            (["Allow: /x/page.", "Disallow: /*.html"], "/x/y.html", False),
            (["Disallow: /x/", "Allow: /x/page*"], "/x/page1", True),
            (["Disallow: /X/"], "/x/y", True),
            (["Disallow: /X/"], "/X/y", False),
            (["Disallow: /foo*quz$", "Allow: /foo"], "/foo/bar/quz", False),
            (["Disallow: /foo$"], "/foo", False),
            (["Disallow: /foo$"], "/foo?x", True),
            (["Disallow: /a*b*c"], "/a-b-c-d", False),
            (["Disallow: /a*b*c"], "/a-c-b", True),
            (["Disallow: /*a*a*a$"], "/aaa", False),
            (["Disallow: /*aa$"], "/a", True),
            (["Disallow: /x*x$"], "/x", True),
            (["Disallow: /**x"], "/x", False),
            (["Disallow: /$"], "/", False),
            (["Disallow: /$"], "/x", True),
            (["Disallow: /a$b"], "/a$bc", False),
            (["Disallow: /a$b"], "/a", True),
            (["Disallow: /*?s="], "/find?q=1&s=2", True),
            (["Disallow: /*?s="], "/find?s=2", False),
            (["Disallow: x"], "/x", True),
            (["Disallow: *x"], "/x", False),
        ],
    )
    def test_rules(self, rules: list[str], path: str, allowed: bool) -> None:
        assert ruled(*rules, path=path) is allowed
        assert ruled(*reversed(rules), path=path) is allowed

    # The tables of Google's documentation: pattern, what it matches, what it does not.
    @pytest.mark.parametrize(
        ("pattern", "matched", "others"),
        [
            (
                "/fish",
                "/fish /fish.html /fish/salmon.html /fishheads /fishheads/yummy.html /fish.php?id=anything",
                "/Fish.asp /catfish /?id=fish",
            ),
            (
                "/fish*",
                "/fish /fish.html /fish/salmon.html /fishheads /fish.php?id=anything",
                "/Fish.bar /catfish /?id=fish",
            ),
            (
                "/fish/",
                "/fish/ /fish/salmon /fish/?salmon /fish/salmon.html /fish/?id=anything",
                "/fish /fish.html /Fish/Salmon.html",
            ),
            ("/*.php", "/filename.php /folder/filename.php /folder/any.php.file.html /filename.php/", "/ /windows.PHP"),
            (
                "/*.php$",
                "/filename.php /folder/filename.php",
                "/filename.php?parameters /filename.php/ /filename.php5 /windows.PHP",
            ),
            ("/fish*.php", "/fish.php /fishheads/catfish.php?parameters", "/Fish.PHP"),
        ],
    )
    def test_documented_patterns(self, pattern: str, matched: str, others: str) -> None:
        rules = ["Disallow: /", f"Allow: {pattern}"]
        assert all(ruled(*rules, path=path) for path in matched.split())
        assert not any(ruled(*rules, path=path) for path in others.split())

    @pytest.mark.parametrize(
        ("allow", "disallow", "path", "allowed"),
        [
            ("/p", "/", "/page", True),
            ("/folder", "/folder", "/folder/page", True),
            ("/page", "/*.htm", "/page.htm", False),
            ("/$", "/", "/", True),
            ("/$", "/", "/page.html", False),
        ],
    )
    def test_documented_precedence(self, allow: str, disallow: str, path: str, allowed: bool) -> None:
        assert ruled(f"Allow: {allow}", f"Disallow: {disallow}", path=path) is allowed

    def test_allowing_the_index_page_allows_the_folder(self) -> None:
        rules = ["Allow: /allowed-slash/index.html", "Disallow: /"]
        assert ruled(*rules, path="/allowed-slash/")
        assert ruled(*rules, path="/allowed-slash/index.html")
        assert not ruled(*rules, path="/allowed-slash/index.htm")
        assert not ruled(*rules, path="/anyother-url")

    def test_robots_txt_itself_is_always_allowed(self) -> None:
        assert ruled("Disallow: /", path="/robots.txt")
        assert Robots.unreachable().allows(SITE + "/robots.txt", "x")
        assert not ruled("Disallow: /", path="/robots.txt.bak")

    @pytest.mark.parametrize(
        "url", ["http://foo.bar", "http://foo.bar?x=1", "http://foo.bar#a", "http://foo.bar/#/y", "/x", ""]
    )
    def test_urls_without_a_path_have_one(self, url: str) -> None:
        assert not Robots.parse(b"User-agent: *\nDisallow: /").allows(url, "x")
        assert Robots.parse(b"User-agent: *\nDisallow: /y").allows(url, "x")


class TestEncoding:
    @pytest.mark.parametrize(
        ("pattern", "path"),
        [
            ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
            ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
            ("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar"),
            ("/foo/bar?qux=taz&baz=http://foo.bar?tar&par", "/foo/bar?qux=taz&baz=http://foo.bar?tar&par"),
            ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
            ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84"),
            ("/foo/bar/%e3%83%84", "/foo/bar/ツ"),
            ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
            ("/foo/bar/baz", "/foo/bar/%62%61%7A"),
            ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"),
            ("/path/foo-%24", "/path/foo-$"),
            ("/a b", "/a%20b"),
            ('/a"b', "/a%22b"),
            ("/100%", "/100%"),
        ],
    )
    def test_same_octets(self, pattern: str, path: str) -> None:
        assert not ruled(f"Disallow: {pattern}", path=path)

    @pytest.mark.parametrize(
        ("pattern", "path"), [("/a/b", "/a%2Fb"), ("/a%2Fb", "/a/b"), ("/a%3Fb", "/a?b"), ("/%2A", "/x"), ("/x%24", "/x")]
    )
    def test_reserved_octets_keep_their_escape(self, pattern: str, path: str) -> None:
        assert ruled(f"Disallow: {pattern}", path=path)

    def test_octets_that_are_no_text(self) -> None:
        robots = Robots.parse(b"User-agent: *\nDisallow: /\xf1and\xfa\n")
        assert not robots.allows(SITE + "/%F1and%fa/x", "x")
        assert robots.verdict(SITE + "/%F1and%FA", "x").text == "Disallow: /\ufffdand\ufffd"


class TestFile:
    @pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
    def test_line_ends_are_counted(self, end: str) -> None:
        robots = Robots.parse(end.join(["User-agent: *", "", "Disallow: /private/ # secret", "Allow: /"]).encode())
        assert robots.verdict(SITE + "/private/x", "x") == Verdict(False, 3, "Disallow: /private/ # secret")
        assert robots.verdict(SITE + "/private/x", "x").cause == "robots.txt line 3: Disallow: /private/ # secret"
        assert robots.verdict(SITE + "/y", "x").line == 4

    @pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"", b"\n", b" \t"])
    def test_byte_order_mark(self, mark: bytes) -> None:
        assert not Robots.parse(mark + b"User-Agent: foo\nDisallow: /AnyValue\n").allows(SITE + "/AnyValue", "foo")

    def test_a_mark_inside_is_none(self) -> None:
        robots = Robots.parse(b"User-Agent: foo\n\xef\xbb\xbfDisallow: /AnyValue\n")
        assert robots.allows(SITE + "/AnyValue", "foo")

    def test_blanks_and_comments(self) -> None:
        assert not allows("\t User-agent \t:\t FooBot # us\n\n# Allow: /\n   Disallow  :  /x   #y\n", "/x")
        assert allows("User-agent: FooBot\nDisallow: /#x\nAllow: /a", "/a")

    def test_lines_are_cut_at_the_limit(self) -> None:
        start = "/x/" + "a" * (LINE_LIMIT - len("Disallow: /x/"))
        assert not ruled(f"Disallow: {start}/not/read", path=start + "/else")
        assert ruled("Disallow: " + start[: LINE_LIMIT - 20], path="/x/")

    def test_only_the_first_500_kib_are_read(self) -> None:
        head = b"User-agent: *\nDisallow: /first\n"
        filling = b"#" * (SIZE_LIMIT - len(head) - len(b"\nDisallow: /")) + b"\n"
        robots = Robots.parse(head + filling + b"Disallow: /cut-here\nDisallow: /late\n")
        assert not robots.allows(SITE + "/first", "x")
        assert robots.allows(SITE + "/cut-here", "x")
        assert robots.allows(SITE + "/other", "x")

    def test_sitemaps_in_order_from_anywhere(self) -> None:
        text = "Sitemap: http://foo.bar/a.xml\nUser-agent: x\nSite-map: /b.xml\nDisallow: /\n"
        text += "SITEMAP: http://foo.bar/a.xml\nsitemap:"
        assert Robots.parse(text.encode()).sitemaps == ("http://foo.bar/a.xml", "/b.xml")

    @pytest.mark.parametrize(
        ("value", "delay"),
        [("10", 10.0), ("0.5", 0.5), ("0", 0.0), ("-1", None), ("nan", None), ("inf", None), ("x", None), ("", None)],
    )
    def test_delays(self, value: str, delay: float | None) -> None:
        text = f"User-agent: FooBot\nCrawl-delay: {value}\nDisallow: /x\nUser-agent: *\nCrawl-delay: 3\nDisallow:\n"
        assert Robots.parse(text.encode()).delay("FooBot/1.0") == delay
        assert Robots.parse(text.encode()).delay("other") == 3.0

    def test_one_agent_only(self) -> None:
        text = b"User-agent: a\nDisallow: /a\nUser-agent: *\nDisallow: /b\nCrawl-delay: 2\nUser-agent: c\nDisallow: /c\n"
        for agent in ("a", "b", "c"):
            whole, own = Robots.parse(text), Robots.parse(text, agent)
            for path in ("/a", "/b", "/c"):
                assert own.allows(SITE + path, agent) == whole.allows(SITE + path, agent)
            assert own.delay(agent) == whole.delay(agent)


class TestStatus:
    @pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 410, 451])
    def test_unavailable_allows(self, status: int) -> None:
        robots = Robots.for_status(status, b"User-agent: *\nDisallow: /")
        assert robots.allows(SITE + "/x", "x")
        assert not robots.temporary

    @pytest.mark.parametrize("status", [0, 100, 429, 500, 503, 599])
    def test_errors_disallow_for_now(self, status: int) -> None:
        robots = Robots.for_status(status, b"User-agent: *\nAllow: /")
        assert robots.temporary
        assert robots.verdict(SITE + "/x", "x") == Verdict(False, 0, f"robots.txt answered {status}")

    def test_success_is_parsed(self) -> None:
        assert not Robots.for_status(200, b"User-agent: *\nDisallow: /").allows(SITE + "/x", "x")
        assert Robots.for_status(204, b"").allows(SITE + "/x", "x")

    def test_unreachable(self) -> None:
        robots = Robots.unreachable()
        assert robots.temporary
        assert robots.verdict(SITE + "/x?y=1", "x").cause == "robots.txt could not be reached"


class TestProperties:
    @given(st.binary(max_size=300), st.text(max_size=40), st.text(max_size=20))
    def test_anything_is_read(self, body: bytes, path: str, agent: str) -> None:
        robots = Robots.parse(b"User-agent: *\n" + body)
        assert robots.allows(SITE + "/" + path, agent) == robots.verdict(SITE + "/" + path, agent).allowed

    @given(
        st.lists(st.tuples(st.booleans(), st.text("ab/*$", min_size=1, max_size=6)), max_size=8),
        st.text("ab/", max_size=8),
    )
    def test_the_longest_pattern_wins(self, rules: list[tuple[bool, str]], path: str) -> None:
        lines = [f"{'Allow' if allow else 'Disallow'}: /{pattern}" for allow, pattern in rules]
        best = (0, True)
        for allow, pattern in rules:
            pattern = "/" + pattern
            end = r"\Z" if pattern.endswith("$") else ""
            body = pattern[:-1] if end else pattern
            if re.match(".*".join(map(re.escape, body.split("*"))) + end, "/" + path):
                # A literal $ is three octets once escaped.
                best = max(best, (len(body.replace("$", "%24")) + bool(end), allow))
        assert ruled(*lines, path="/" + path) is best[1]

    def test_hostile_patterns_take_no_time(self) -> None:
        stars = "/" + "*a" * 4_000 + "$"
        robots = Robots.parse(("User-agent: *\n" + f"Disallow: {stars}\n" * 50).encode())
        chain = "User-agent: *\n" + "".join(f"Disallow: /{'b' * length}\n" for length in range(900))
        hostile = (SITE + "/" + "a" * 3_900 + "b", SITE + "/" + "ab" * 2_000)
        assert effort(lambda: [robots.allows(url, "x") for url in hostile], 4) < 4
        assert not Robots.parse(chain.encode()).allows(SITE + "/" + "b" * 450 + "c", "x")


class TestPageDirectives:
    @pytest.mark.parametrize(
        ("meta", "header", "expected"),
        [
            ([], [], set()),
            ([("robots", "index, follow")], [], set()),
            ([("ROBOTS", "NoIndex,NOFOLLOW")], [], {"noindex", "nofollow"}),
            ([("robots", "none")], [], {"noindex", "nofollow"}),
            ([("robots", "all"), ("trasmallo", "noarchive")], [], {"noarchive"}),
            ([("googlebot", "noindex"), ("description", "noindex")], [], set()),
            ([("robots", "nofollow")], ["noindex"], {"noindex", "nofollow"}),
            ([], ["otherbot: noindex, nofollow"], set()),
            ([], ["trasmallo: noindex, nofollow"], {"noindex", "nofollow"}),
            ([], ["otherbot: noindex, trasmallo: nofollow"], {"nofollow"}),
            ([], ["noarchive, otherbot: noindex"], {"noarchive"}),
            ([], ["max-snippet: 20, noindex"], {"noindex"}),
            ([], ["unavailable_after: 25 Jun 2010 15:00:00 GMT"], {"noindex"}),
            ([("robots", "unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, nofollow")], [], {"noindex", "nofollow"}),
            ([], ["unavailable_after: 2090-01-01"], set()),
            ([], ["unavailable_after: when hell freezes, nofollow"], {"nofollow"}),
        ],
    )
    def test_lists(self, meta: list[tuple[str, str]], header: list[str], expected: set[str]) -> None:
        assert page_directives(meta, header, "Trasmallo/1.0", now=1.8e9) == expected

    @given(st.text(max_size=100), st.text(max_size=100))
    def test_anything_is_read(self, content: str, header: str) -> None:
        found = page_directives([("robots", content)], [header], "x")
        assert all(word.startswith("no") for word in found)
