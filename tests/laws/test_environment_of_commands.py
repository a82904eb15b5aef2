"""What commands get of the user's environment: all but what is secret and what makes programs do something else."""

import pytest

from assent.tools.command_environment import given_to_commands

# In two pieces, so that this file holds nothing that looks like a token.
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"

ORDINARY = {
    "HTTPS_PROXY": "http://proxy.example:3128",
    "no_proxy": "localhost,.example",
    "JAVA_HOME": "/opt/jdk",
    "VIRTUAL_ENV": "/home/me/venv",
    "SSH_AUTH_SOCK": "/run/user/1000/keyring/ssh",
    "GOPATH": "/home/me/go",
    "NVM_DIR": "/home/me/.nvm",
    "PYTHONPATH": "/home/me/lib",
    "CARGO_HOME": "/home/me/.cargo",
    "npm_config_registry": "https://packages.example/npm/",
    "PIP_INDEX_URL": "https://packages.example/simple",
    "REQUESTS_CA_BUNDLE": "/etc/ssl/company.pem",
    "NODE_EXTRA_CA_CERTS": "/etc/ssl/company.pem",
    "GIT_SSL_CAINFO": "/etc/ssl/company.pem",
    "XDG_CONFIG_HOME": "/home/me/.config",
    "TEAM_STAGE": "blue",
    "DATABASE_URL": "postgres://localhost/dev",
    "DISPLAY": ":0",
    "GIT_AUTHOR_NAME": "Me",
    "EMPTY_TOKEN": "",
    "GOOGLE_CREDENTIALS_FILE": "/home/me/key.json",
    "KEYBOARD_LAYOUT": "de",
}
SECRET = {
    "GITHUB_TOKEN": "abc",
    "AWS_SECRET_ACCESS_KEY": "x",
    "OPENAI_API_KEY": "x",
    "PGPASSWORD": "x",
    "MODEL_KEY": "x",
    "KEY": "x",
    "DEPLOY_KEY_2": "x",
    "GH_PAT": "x",
    "DBPW": "x",
    "ROOT_PSK": "x",
    "CARD_PIN": "x",
    "VPN_TOTP": "x",
    "STORAGE_SAS": "x",
    "WALLET_MNEMONIC": "x",
    "ETH_PRIV": "x",
    "CHAT_WEBHOOK": "https://example.org/x",
    "CORP_AUTH": "x",
    "npm_config__authToken": "x",
    "INNOCENT": TOKEN,
    "REPORTING_URL": "https://me:hunter2secret@db.example/x",
}
REDIRECTING = {
    "LD_PRELOAD": "/x.so",
    "LD_LIBRARY_PATH": "/x",
    "DYLD_INSERT_LIBRARIES": "/x",
    "GIT_DIR": "/x",
    "GIT_SSH_COMMAND": "x",
    "GIT_CONFIG_COUNT": "1",
    "PYTHONSTARTUP": "/x.py",
    "PYTHONHOME": "/x",
    "NODE_OPTIONS": "--require /x.js",
    "PERL5OPT": "-Mx",
    "RUBYOPT": "-rx",
    "JAVA_TOOL_OPTIONS": "-javaagent:/x.jar",
    "RUSTC_WRAPPER": "/x",
    "LESSOPEN": "|x %s",
}
NOBODYS = {
    "BASH_ENV": "/x.sh",
    "ENV": "/x.sh",
    "IFS": "x",
    "CDPATH": "/x",
    "PS4": "$(x)",
    "SHELLOPTS": "xtrace",
    "PROMPT_COMMAND": "x",
    "BASH_FUNC_ls%%": "() { x; }",
    "POSIXLY_CORRECT": "1",
    "OLDPWD": "/x",
    "VSCODE_IPC_HOOK_CLI": "/run/vscode.sock",
    "ELECTRON_RUN_AS_NODE": "1",
    "ASSENT_STATE_DIR": "/state",
    "not a name": "x",
}


def test_what_is_the_users_comes_along_and_the_rest_is_named() -> None:
    found = given_to_commands({**ORDINARY, **SECRET, **REDIRECTING, **NOBODYS})

    assert dict(found.passed) == ORDINARY
    assert found.secret == tuple(sorted(SECRET))
    assert found.redirecting == tuple(sorted(REDIRECTING))
    assert found.unwanted == ()


def test_a_value_that_is_known_to_be_secret_stays_here() -> None:
    given = {"MY_ACCESS": "opaque-but-known", "OTHER": "x opaque-but-known y", "FINE": "opaque"}

    found = given_to_commands(given, known=frozenset({"opaque-but-known"}))

    assert dict(found.passed) == {"FINE": "opaque"}
    assert found.secret == ("MY_ACCESS", "OTHER")


def test_the_settings_pass_and_withhold_by_name_and_withholding_wins() -> None:
    given = {**SECRET, **REDIRECTING, "TEAM_STAGE": "blue", "TEAMS": "x"}

    found = given_to_commands(given, ("GITHUB_TOKEN", "LD_*", "TEAM_STAGE"), ("TEAM_*", "LD_PRELOAD"))

    assert dict(found.passed) == {"GITHUB_TOKEN": "abc", "LD_LIBRARY_PATH": "/x", "TEAMS": "x"}
    assert found.unwanted == ("LD_PRELOAD", "TEAM_STAGE")


@pytest.mark.parametrize("name", sorted(NOBODYS))
def test_what_the_shell_sets_itself_is_passed_by_no_word_of_a_setting(name: str) -> None:
    passed = dict(given_to_commands({name: NOBODYS[name]}, (name,)).passed)

    assert passed == ({name: NOBODYS[name]} if name.startswith(("VSCODE_", "ELECTRON_", "ASSENT_")) else {})
