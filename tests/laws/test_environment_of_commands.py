"""What commands get of the user's environment: all but what is secret and what makes programs do something else."""

import pytest

from assent.tools.command_environment import given_to_commands

# In two pieces, so that this file holds nothing that looks like a token.
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
RANDOM = "k3J9sLq0vXz7TbN2pWmY8" + "cRfH5uGdE1aQoIiZxCvBnM="

ORDINARY = {
    "HTTPS_PROXY": "http://proxy.example:3128",
    "no_proxy": "localhost,.example",
    # Without who logs in there, they lead nowhere.
    "ALL_PROXY": "socks5://me:p4ssw0rd@proxy.example:1080",
    "https_proxy": "http://corp%5Cme:p@ssw0rd@proxy.example:3128/",
    "npm_config_https_proxy": "http://me:p4ssw0rd@proxy.example:3128",
    "YARN_HTTP_PROXY": f"{TOKEN}:x@proxy.example:3128",
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
    # They lead to a file, or switch something.
    "GOOGLE_APPLICATION_CREDENTIALS": "/home/me/.config/gcloud/key.json",
    "AWS_SHARED_CREDENTIALS_FILE": "/home/me/.aws/credentials",
    "KUBECONFIG": "/home/me/.kube/config",
    "AWS_PROFILE": "dev",
    "USE_AUTH": "true",
    "REQUIRE_PASSWORD": "0",
    # They look like keys, and say which commit and which file.
    "CI_COMMIT_SHA": "0123456789abcdef0123456789abcdef01234567",
    "IMAGE_DIGEST": "sha256:" + "0123456789abcdef" * 4,
    "SOURCE_HASH": f"sha256-{RANDOM}",
    "BUILD_ID": "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "BUNDLE_GEMFILE": "/home/me/Gemfile",
    "BUNDLE_PATH": "vendor",
    "XDG_SESSION_ID": "2",
    "DESKTOP_SESSION": "gnome",
    # They say how much memory, which tags, and what to build with.
    "GRADLE_OPTS": "-Xmx2g -Dhttp.proxyUser=me@corp",
    "MAVEN_OPTS": "-Xmx1g -Djavax.net.ssl.trustStore=/etc/ssl/company.jks",
    "ANT_OPTS": "-Xmx1g",
    "GOFLAGS": "-mod=mod -tags=dev",
    "GOPROXY": "https://packages.example/go",
    "CC": "ccache gcc",
    "CARGO_TARGET_DIR": "/home/me/target",
    "PIP_CONFIG_FILE": "/home/me/pip.conf",
    "npm_config_userconfig": "/home/me/.npmrc",
    "npm_config_shell_emulator": "true",
    "YARN_CACHE_FOLDER": "/home/me/.yarn-cache",
    "TF_CLI_CONFIG_FILE": "/home/me/.terraformrc",
    "MVNW_REPOURL": "https://packages.example/maven",
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
    # By name, in every spelling
    "github_token": "abc",
    "adminPw": "x",
    "ROOTPW": "x",
    "USERPASS": "x",
    "DBPASS": "x",
    "MYSQL_PWD": "x",
    "SSHPASS": "x",
    "REDISCLI_AUTH": "x",
    "BORG_PASSPHRASE": "x",
    "accesskey": "x",
    "clientsecret": "x",
    "PRIVATEKEY": "x",
    "KEYSTORE_PASS": "x",
    "TF_VAR_db_password": "x",
    "POETRY_PYPI_TOKEN_PYPI": "x",
    "VAULT_PIN": "1234",
    "WIFI_PSK": "x",
    "HASH_SALT": "x",
    "TOTP_SEED": "x",
    "GH_PAT2": "x",
    "BW_SESSION": "x",
    "OP_SESSION_home": "x",
    "BUNDLE_GEM__CORP__COM": "me:x",
    "DIRENV_DIFF": "eJwrSS0uAQAEXQHB",
    "CREDENTIALS": "x",
    "MYCREDS": "x",
    "RAILS_MASTER_KEY": "x",
    "SECRET_KEY_BASE": "x",
    # By shape
    "FERNET": RANDOM,
    "APP": f"base64:{RANDOM}",
    "DEPLOY": f"-----BEGIN OPENSSH {'PRIVATE'} KEY-----\nb3BlbnNzaC1rZXktdjE\n-----END OPENSSH {'PRIVATE'} KEY-----\n",
    "GCP_SA": '{"client_email": "a@b", "private_key": "MIIabcdefabcdef"}',
    "DOCKER_LOGINS": '{"auths": {"r.example": {"auth": "dXNlcjpwYXNz"}}}',
    "COMPOSER_LOGINS": '{"http-basic": {"x": {"username": "a", "password": "b"}}}',
    "BROWSER_STATE": "Cookie: session=0123456789abcdef; theme=dark",
    "HEADER": "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    "NETRC_CONTENT": "machine api.example login me password hunter22",
    "KUBE_USERS": "users:\n- user:\n    token: abcdefabcdef",
    "MONGO_URI": "mongodb+srv://me:p4ssw0rd@c.example/db",
    "REDIS_URL": "redis://:p4ssw0rd@cache:6379/0",
    "SQL_SERVER": "Server=db;User Id=sa;Password=Passw0rd!;",
    "JDBC_URL": "jdbc:mysql://db/app?user=me&password=hunter22",
    "BLOBS": f"DefaultEndpointsProtocol=https;AccountName=a;AccountKey={RANDOM};",
    "PIP_INDEX_URL_2": "https://me:s3cretpw@packages.example/simple",
    # A login in an address, and more that is secret.
    "HTTPS_PROXY": f"http://me:x@proxy.example/?token={TOKEN}",
    "HTTP_PROXY": "http://proxy.example http://me:p4ssw0rd@other.example",
    "MY_PROXY": "http://me:p4ssw0rd@proxy.example",
    "SIGNED_URL": f"https://a.example/c?sv=2021-06-08&sig={RANDOM[:-1]}%3D",
    "WEBHOOK": "https://hooks.slack.com/services/" + "T00000000/B00000000/" + "X1" * 12,
    "PAYMENTS": "sk_live_" + "51Habcdefghijklmnopqrstuv",
    "MODEL": "sk-ant-" + "api03-abcdefghijklmnopqrstuvwxyz0123456789",
    "PACKAGES": "npm_" + "abcdefghijklmnopqrstuvwxyz0123456789",
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
    "LD_AUDIT": "/x.so",
    "GCONV_PATH": "/x",
    "GLIBC_TUNABLES": "x",
    "GTK_PATH": "/x",
    "HOSTALIASES": "/x",
    "GIT_WORK_TREE": "/x",
    "GIT_INDEX_FILE": "/x",
    "GIT_EXTERNAL_DIFF": "/x",
    "GIT_EXEC_PATH": "/x",
    "GIT_TEMPLATE_DIR": "/x",
    "SSH_ASKPASS": "/x",
    "SVN_SSH": "/x",
    "HGRCPATH": "/x",
    "HGEDITOR": "vim",
    "JJ_CONFIG": "/x",
    "RSYNC_RSH": "/x",
    "PYTHONBREAKPOINT": "x.y",
    "PYTHONINSPECT": "1",
    "PYTEST_ADDOPTS": "-p x",
    "PYTEST_PLUGINS": "x",
    "PERL5LIB": "/x",
    "RUBYLIB": "/x",
    "RUBYGEMS_GEMDEPS": "-",
    "RAKEOPT": "-r /x.rb",
    "R_PROFILE_USER": "/x.R",
    "LUA_INIT": "@/x.lua",
    "PHPRC": "/x",
    "_JAVA_OPTIONS": "-javaagent:/x.jar",
    "MAVEN_ARGS": "-DskipTests",
    "MAVEN_OPTS": "-Xmx1g -javaagent:/x.jar",
    "GRADLE_OPTS": "-agentpath:/x.so",
    "ANT_OPTS": "-XX:OnError=/x",
    "GOFLAGS": "-mod=mod -toolexec=/x",
    "npm_config_script_shell": "/x",
    "NPM_CONFIG_NODE_OPTIONS": "--require /x.js",
    "npm_config_git": "/x",
    "PNPM_SCRIPT_SHELL": "/x",
    "YARN_YARN_PATH": "/x.cjs",
    "CARGO_BUILD_RUSTC_WRAPPER": "/x",
    "RUSTFLAGS": "-C linker=/x",
    "MAKEFLAGS": "SHELL=/x",
    "MAKEFILES": "/x",
    "DOTNET_STARTUP_HOOKS": "/x.dll",
    "LESSKEYIN": "/x",
    "TAR_OPTIONS": "--to-command=x",
    "RIPGREP_CONFIG_PATH": "/x",
    "TF_CLI_ARGS_apply": "-auto-approve",
    "KUBECTL_EXTERNAL_DIFF": "/x",
    "OPENSSL_CONF": "/x",
    "VIMINIT": "!x",
    "PSQLRC": "/x",
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
    ordinary = given_to_commands({**ORDINARY, **NOBODYS})
    withheld = given_to_commands({**SECRET, **REDIRECTING})

    assert dict(ordinary.passed) == ORDINARY
    assert (ordinary.secret, ordinary.redirecting, ordinary.unwanted) == ((), (), ())
    assert dict(withheld.passed) == {}
    assert withheld.secret == tuple(sorted(SECRET))
    assert withheld.redirecting == tuple(sorted(REDIRECTING))


def test_a_value_that_is_known_to_be_secret_stays_here() -> None:
    given = {"MY_ACCESS": "opaque-but-known", "OTHER": "x opaque-but-known y", "FINE": "opaque"}

    found = given_to_commands(given, known=frozenset({"opaque-but-known"}))

    assert dict(found.passed) == {"FINE": "opaque"}
    assert found.secret == ("MY_ACCESS", "OTHER")


def test_the_settings_pass_and_withhold_by_name_and_withholding_wins() -> None:
    given = {**SECRET, **REDIRECTING, "TEAM_STAGE": "blue", "TEAMS": "x"}

    found = given_to_commands(given, ("GITHUB_TOKEN", "LD_L*", "TEAM_STAGE", "LD_PRELOAD"), ("TEAM_*", "LD_PRELOAD"))

    assert dict(found.passed) == {"GITHUB_TOKEN": "abc", "LD_LIBRARY_PATH": "/x", "TEAMS": "x"}
    assert found.unwanted == ("LD_PRELOAD", "TEAM_STAGE")


@pytest.mark.parametrize("name", sorted(NOBODYS))
def test_what_the_shell_sets_itself_is_passed_by_no_word_of_a_setting(name: str) -> None:
    passed = dict(given_to_commands({name: NOBODYS[name]}, (name,)).passed)

    assert passed == ({name: NOBODYS[name]} if name.startswith(("VSCODE_", "ELECTRON_", "ASSENT_")) else {})
