"""What the door lets in: nothing secret, and everything else as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripleo_ui.orchestration.redaction import is_secret, redact
from tripleo_ui.planning.parameters import MASK

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----"
FERNET = "gAAAAABm" + "x" * 60 + "=="


@pytest.mark.parametrize(
    "name",
    [
        "password", "Password", "NovaPassword", "Compute-1::NovaPassword", "admin_pass", "adminPass", "api_key",
        "apiKey", "private_key", "user_data", "userData", "X-Auth-Token", "token", "client_secret", "Authorization",
        "credentials", "passphrase", "ipmi_password", "APIKey", "token_id", "password_hash",
    ],
)  # fmt: skip
def test_a_name_that_says_secret_is_one(name):
    assert is_secret(name)
    assert redact({name: "s3cret"}) == {name: MASK}


@pytest.mark.parametrize(
    "name",
    [
        "key_name", "public_key", "keypair", "secret_name", "user_data_bytes", "trust_id", "title", "bypass", "passed",
        "application_credential_id", "tokenizer", "compass", "data", "user", "", "key", "security_groups",
        "user_data_ref",
    ],
)  # fmt: skip
def test_a_name_that_only_looks_like_it_is_none(name):
    assert redact({name: "as it was"}) == {name: "as it was"}


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        (f"here: {PEM} end", f"here: {MASK} end"),
        (f"refused {FERNET} today", f"refused {MASK} today"),
        ("postgresql://ui:s3cret@db:5432/ui", f"postgresql://ui:{MASK}@db:5432/ui"),
        ("X-Auth-Token: abcdef", f"X-Auth-Token: {MASK}"),
        ('{"admin_password": "s3cret", "name": "x"}', f'{{"admin_password": "{MASK}", "name": "x"}}'),
        ("GET /?token=abc&limit=1", f"GET /?token={MASK}&limit=1"),
        ("Authorization: Bearer abcdefgh.ijk", f"Authorization: Bearer {MASK}"),
        ("the password is wrong", "the password is wrong"),
        ("https://10.1.2.3:5000/v3", "https://10.1.2.3:5000/v3"),
        ("2 of 3 servers, https://host/a:b@c", "2 of 3 servers, https://host/a:b@c"),
    ],
)
def test_text_loses_what_looks_secret_and_nothing_else(text, stays):
    assert redact(text) == stays
    assert redact(stays) == stays


def test_secrets_are_found_at_any_depth_and_whole_branches_go():
    given_ = {"servers": [{"name": "a", "adminPass": "x"}], "credentials": {"user": "olga", "pin": 1}, "count": 2}
    assert redact(given_) == {"servers": [{"name": "a", "adminPass": MASK}], "credentials": MASK, "count": 2}


@pytest.mark.parametrize("nothing", ["", None, False, True, {}, []])
def test_the_absence_of_a_secret_may_be_seen(nothing):
    assert redact({"password": nothing}) == {"password": nothing}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["password", "name"]), inner),
    max_leaves=20,
)


@given(_JSON)
def test_redacting_again_changes_nothing(value):
    once = redact(value)
    assert redact(once) == once


@given(st.text(min_size=12, alphabet="abcdefghijklmnop"), _JSON)
def test_no_password_survives_wherever_it_stands(secret, around):
    assert secret not in str(redact([{"a": [{"db_password": secret}]}, {"password": [secret, around]}]))
