"""Pages and redirects that ask for a log-in, and pages that only have a field for one."""

from __future__ import annotations

import pytest

from support.answers import LOGIN_FORM, PROSE, SHORT, page
from trasmallo.crawl.judgement.logins import has_password, is_login_page, leads_to_login, login_words
from trasmallo.crawl.judgement.page_facts import plain


def test_the_words_are_plain() -> None:
    words = login_words()
    assert all(
        plain(word) == word for kind in (words.labels, words.segments, words.weak_segments, words.parameters) for word in kind
    )


@pytest.mark.parametrize(
    "field",
    ['<input type="password">', "<INPUT TYPE=PASSWORD>", "<input name='p' type='password'/>", '<input type = "Password" >'],
)
def test_a_field_for_a_password(field: str) -> None:
    assert has_password(field.encode())


def test_the_word_alone_is_no_field() -> None:
    assert not has_password(b'<p>type="password" <a href="/password">password</a><input type="text" name="password">')


@pytest.mark.parametrize(
    ("title", "body", "url"),
    [
        ("Iniciar sesión - Campus", LOGIN_FORM, "https://a.test/curso/3"),
        ("Campus virtual | Acceso", LOGIN_FORM + "<p>Las cookies deben estar habilitadas.</p>", "https://a.test/curso/3"),
        ("Log in", LOGIN_FORM, "https://a.test/x"),
        ("Example forum: Sign in", LOGIN_FORM + "<p>Lost your password? Ask the harbour office.</p>", "https://a.test/x"),
        ("La cofradía", "<h1>Inicia sesión</h1>" + LOGIN_FORM, "https://a.test/x"),
        ("La cofradía", LOGIN_FORM, "https://a.test/wp-login.php"),
        ("La cofradía", LOGIN_FORM, "https://a.test/login/index.php?next=3"),
    ],
)
def test_pages_that_are_a_log_in(title: str, body: str, url: str) -> None:
    assert is_login_page(page(title, body).encode(), url)


@pytest.mark.parametrize(
    ("title", "body", "url"),
    [
        ("La lonja", f"<header>{LOGIN_FORM}</header><p>{SHORT}</p>", "https://a.test/lonja"),
        ("Cómo iniciar sesión en el foro", f"{LOGIN_FORM}<p>{SHORT}</p>", "https://a.test/ayuda"),
        ("Acceso", f"{LOGIN_FORM}<h1>Acceso al puerto</h1><p>{PROSE} {PROSE} {PROSE}</p>", "https://a.test/acceso"),
        ("Log in", f"<p>{SHORT}</p>", "https://a.test/login"),
        ("Foro", f"<p>{SHORT}</p><form><input name='q'><textarea></textarea></form>", "https://a.test/foro/1"),
    ],
)
def test_pages_that_are_not(title: str, body: str, url: str) -> None:
    assert not is_login_page(page(title, body).encode(), url)


@pytest.mark.parametrize(
    ("asked", "location"),
    [
        ("https://a.test/curso/3", "https://a.test/login?next=/curso/3"),
        ("https://a.test/curso/3?v=1", "https://a.test/accounts/login/?next=%2Fcurso%2F3%3Fv%3D1"),
        ("https://a.test/curso/3", "https://sso.test/cas/login?service=https%3A%2F%2Fa.test%2Fcurso%2F3"),
        ("https://a.test/", "https://a.test/iniciar-sesion?volver=/"),
        ("https://a.test/socios/1", "https://a.test/acceso?volver=/socios/1"),
        ("https://a.test/wp-admin", "https://a.test/wp-login.php?redirect_to=https%3A%2F%2Fa.test%2Fwp-admin&reauth=1"),
    ],
)
def test_redirects_to_a_log_in_that_come_back(asked: str, location: str) -> None:
    assert leads_to_login(asked, location)


@pytest.mark.parametrize(
    ("asked", "location"),
    [
        ("https://a.test/curso/3", "https://a.test/login"),
        ("https://a.test/curso/3", "https://a.test/login?next=/otro"),
        ("https://a.test/curso/3", "https://a.test/acceso"),
        ("https://a.test/curso/3", "https://a.test/noticias?next=/curso/3"),
        ("https://a.test/entrar", "https://a.test/login/"),
        ("http://a.test/curso/3", "https://a.test/curso/3"),
    ],
)
def test_other_redirects(asked: str, location: str) -> None:
    assert not leads_to_login(asked, location)
