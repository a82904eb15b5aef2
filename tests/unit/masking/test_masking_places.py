"""Secrets that have no looks of their own: their names and places give them away, and like names do not."""

import pytest

from assent.masking import mask_text
from tests.support.secret_samples import hx

S = "correct-" + "horse7"
"""Stands for any secret."""

HIDDEN = [
    f"export TOKEN={S}",
    f"API_KEY={S}",
    f"PGPASSWORD={S} psql",
    f"env GITHUB_TOKEN={S} make",
    f"set DB_PASS={S}",
    f"  SECRET_KEY='{S}'",
    f'SECRET_KEY="{S}"',
    f"MYSQL_PWD={S}",
    f'$env:API_TOKEN = "{S}"',
    f"SSHPASS={S} sshpass -e ssh",
    f"password: {S}",
    f"password: '{S}'  # the old one",
    f"  - api-key: {S}",
    f"db.password={S}",
    f"spring.password = {S}",
    f"client_secret: |\n  {S}\n",
    f"secret: >-\n    {S}\n    {S}\nnext: 1",
    f'{{"password": "{S}"}}',
    f'{{"password":"{S}"}}',
    f'{{\\"password\\": \\"{S}\\"}}',
    f'{{\\\\\\"password\\\\\\": \\\\\\"{S}\\\\\\"}}',
    f'"clientSecret" : "{S}",',
    f"privateKey: `{S}`",
    f'const apiKey = "{S}";',
    f'token := "{S}"',
    f"self.token = '{S}'",
    f':password => "{S}"',
    f'if password == "{S}":',
    f'os.environ["API_TOKEN"] = "{S}"',
    f"headers['X-Api-Key'] = '{S}'",
    f'f(token=f"{S}")',
    f'password = """{S}"""',
    f"--password {S}",
    f"--password={S}",
    f"--api-key '{S}'",
    f'--token "{S}" --x',
    f"-token {S}",
    f"curl -u bob:{S} https://x",
    f"curl -ubob:{S} https://x",
    f"curl --user 'bob:{S}' x",
    f"curl --proxy-user bob:{S} x",
    f"mysql -u root -p{S} db",
    f"mysqldump -p'{S}' db",
    f"sshpass -p {S} ssh host",
    f"docker login -u bob -p {S} host",
    f"redis-cli -h x -a {S} ping",
    f"zip -P {S} a.zip b",
    f"openssl rsa -passin pass:{S} -in k",
    f"https://bob:{S}@host/path",
    f"postgres://u:{S}@h:5432/db?ssl=1",
    f"mongodb+srv://u:{S}@c.example.net/",
    f"redis://:{S}@h",
    f"https://bob:p@{S}@host/",
    f"git clone https://x-access-token:{S}@github.com/a/b",
    f"https://{hx(30)}@github.com/a",
    f"Authorization: Bearer {S}",
    f"Authorization: Basic {S}",
    f'-H "Authorization: token {S}"',
    f'"Authorization": "Bearer {S}"',
    f"X-Auth-Token: {S}",
    f"Cookie: sid={S}; theme=dark",
    f"Set-Cookie: sid={S}; HttpOnly",
    f"proxy-authorization: {S}",
    f"see Bearer {S} there",
    f"https://h/?access_token={S}&x=1",
    f"https://h/cb#token={S}",
    f"Server=h;Pwd={S};Database=d",
    f"AccountKey={S};EndpointSuffix=x",
    f"DefaultEndpoints;SharedAccessKey={S}",
    f"//registry.example/:_authToken={S}",
    f"machine h login bob password {S}",
    f"<password>{S}</password>",
    f'<add key="Password" value="{S}"/>',
    f"- name: DB_PASSWORD\n  value: {S}\n",
    f'{{"name": "API_TOKEN", "value": "{S}"}}',
    f"token: {hx(40)}",
    f"heroku_api_key={hx(8)}-{hx(4)}-{hx(4)}-{hx(4)}-{hx(12)}",
    f"aPiKeY={S}",
    f"DATABASE-PASSWORD={S}",
    f"secretId: {S}",
    f"DB_PASSWORD= {S}",
    f"DB_PASSWORD= {S} npm start",
    f"export API_TOKEN= '{S}'",
    f"DB_USER= bob\nDB_PASSWORD= {S}\nDB_HOST= db",
    f"mysql -u root -p {S}",
    f"mysql -u root -p {S} shop < dump.sql",
    f"mysqldump -p '{S}' shop",
    f"mysql -u root --password {S} shop",
    f"mariadb -h db -p {S} -e 'select 1'",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_it_is_masked(text: str) -> None:
    masked, count = mask_text(text)

    assert count >= 1
    for secret in (S, hx(30), hx(12)):
        assert secret not in masked
    assert mask_text(masked) == (masked, 0)


@pytest.mark.parametrize("text", ["DB_PASSWORD= hunter", "X=1\nexport API_TOKEN= swordfish\nY=2", "TOKEN= open # no"])
def test_a_word_alone_behind_a_blank_is_masked(text: str) -> None:
    masked, count = mask_text(text)
    assert count == 1
    assert not any(word in masked for word in ("hunter", "swordfish", "open"))


def test_the_rest_of_a_command_stays_readable() -> None:
    command = f"PGPASSWORD={S} psql -h db -c 'select 1' && curl -u bob:{S} https://x/?token={S}&b=2 | jq ."

    assert mask_text(command)[0] == (
        "PGPASSWORD=[masked: password, short] psql -h db -c 'select 1' && "
        "curl -u bob:[masked: password, short] https://x/?token=[masked: token, short]&b=2 | jq ."
    )


def test_a_quotation_is_masked_to_its_true_end() -> None:
    for text in (
        f'{{"password": "a\\"{S}", "user": "bob"}}',
        f'{{\\"password\\": \\"a\\\\\\"{S}\\", \\"user\\": \\"bob\\"}}',
        f"PASSWORD='a'\\''{S}' user=bob",
        f"PASSWORD='a'\"'\"'{S}' user=bob",
        f'password = """a "quoted" {S}""" # bob',
    ):
        masked, count = mask_text(text)
        assert (count, S in masked, "bob" in masked, "quoted" in masked) == (1, False, True, False), masked


def test_a_password_with_signs_is_masked_whole() -> None:
    for secret in ("p(a)ss,w{o}rd7", "a=b=c==", "x#y!z%25", "p@ss:w/rd"):
        masked, _ = mask_text(f"export DB_PASSWORD={secret} DEBUG=1")
        assert masked == "export DB_PASSWORD=[masked: password, short] DEBUG=1"


SHOWN = [
    "password: ",
    "password:",
    "PASSWORD=",
    'password = ""',
    "password: ''",
    "token = get_token()",
    "token = await auth.token()",
    "tokens: 512",
    '"max_tokens": 100',
    "maxTokens=100",
    "token_count = 7",
    "the token is in the header",
    "token: string;",
    "token?: string",
    "password: str",
    "password: str | None = None",
    "def f(token: str, key: bytes) -> None:",
    "token: Token,",
    "login(user=user, password=password)",
    "f(token=token, x=1)",
    "self.token = token",
    "token = self.next_token",
    "api_key = os.environ['X']",
    'password = os.getenv("DB_PASSWORD")',
    "apiKey: process.env.API_KEY,",
    "for token in tokens:",
    "if token == None:",
    "if (token === undefined) {",
    "token := lexer.Next()",
    "const token = parser.next();",
    "password = None",
    "TOKEN=<your-token>",
    "TOKEN=$TOKEN",
    "API_KEY=${API_KEY}",
    "api_key: ${{ secrets.API_KEY }}",
    "password: {{ .Values.x }}",
    "password=***",
    "password: ********",
    "PASSWORD=%PASSWORD%",
    "token: your-token-here",
    "PASSWORD=$(pass show db)",
    "secret: xxxx",
    "--password-stdin",
    "--token-file /run/t",
    "docker login --password-stdin",
    "--token $TOKEN",
    "use --token to log in",
    "password_file: /run/secrets/db",
    "token_type: bearer",
    "PWD=/home/bob",
    "tokenizer = 'gpt'",
    "keyboard: us",
    "monkey=5",
    "primaryKey: id",
    "public_key: abc7def8",
    "key: value",
    "keys: [a, b]",
    "Password must be set",
    "secret: true",
    "token: null",
    "enter your password:",
    "https://host:8080/a@b",
    "http://localhost:3000/",
    "git@github.com:a/b.git",
    "mailto:bob@example.com",
    "docker run -u 1000:1000 x",
    "ps -u bob",
    "mkdir -p a/b",
    "docker run -p 8080:80 x",
    "git log -p file",
    "Basic usage of the API",
    "bearer authentication",
    "token based access",
    "Authorization: <token>",
    "nextPageToken: abc123def",
    "cancellationToken = source.x",
    "[masked: password, short]",
    "password=[masked: password]",
    "class Token(Base):",
    "import token",
    "tokens = text.split()",
    "forgot password: see the docs for help",
    "DB_PASSWORD= npm start",
    "DB_PASSWORD= ./run.sh",
    "DB_PASSWORD= ../bin/run7.sh --fast",
    "DB_PASSWORD= \nDB_HOST=db",
    "PGPASSWORD= psql -h db7 shop",
    "API_TOKEN= $(cat token)",
    "API_TOKEN= $TOKEN",
    "API_TOKEN= DEFAULT_TOKEN",
    "mysql -u root -p shop",
    "mysql -u root -p -h database7.example shop",
    "mysql -u root -p --database=shop_7",
    "mysql -u root -p < ./dump7.sql",
    "mysql -u root -p $PASSWORD shop",
    "mysqldump -p shop /backups/shop7.sql",
    "7z a -p archive7.7z file",
]


@pytest.mark.parametrize("text", SHOWN)
def test_it_is_left_alone(text: str) -> None:
    assert mask_text(text) == (text, 0)


@pytest.mark.parametrize(
    "text",
    [
        f"echo {S} | docker login -u bob --password-stdin host",
        f"echo -n '{S}' | sudo -S apt-get update",
        f"printf '%s' {S} | gh auth login --with-token",
        f'docker login --password-stdin host <<< "{S}"',
        f"npm config set //registry.example/:_authToken {S}",
        f"aws configure set aws_secret_access_key {S} --profile x",
        f'"password":\n    "{S}",',
        f'curl -d "user=bob&password="{S} https://x',
        f"echo 'PASSWORD='{S} >> .env",
        f"my password is {S}.",
        f"The API key is '{S}', keep it",
        f"setx API_KEY {S}",
        f"set -gx DB_PASSWORD {S}",
        f'ConvertTo-SecureString "{S}" -AsPlainText',
        f"https://h/login?next=%2Fa%3Fpassword%3D{S}",
        f"password=[masked: token]{S}",
        f'"password": "[masked: token]{S}"',
        f"PASSWORD=ab[masked: token]cd{S} x",
        f"pw={S}",
        '{"auths": {"host": {"auth": "' + S.replace("-", "") + '"}}}',
    ],
)
def test_what_programs_are_fed_is_masked(text: str) -> None:
    masked, count = mask_text(text)

    assert (S in masked, S.replace("-", "") in masked, count) == (False, False, 1), masked


@pytest.mark.parametrize(
    "text",
    [
        '{"--token=": "sends its results", "--team=": "x"}',
        'options("--tag= --otp= --access=", x)',
        "private_key: ed25519.Ed25519PrivateKey,",
        "cookies: RequestsCookieJar | None",
        "if cookie != self.seen:",
        'def f(client_key):\n    """Says what it does."""',
        "def f() -> Iterator[Cookie]:  # what it does",
        "headers['Authorization'] = 'Basic ' + encoded",
        "Authorization: Bearer ...",
        "Authorization: Bearer ${TOKEN}",
        "set password to something else",
        "echo hello | cat",
        "the password is required",
        "the token is in config.py",
        "a secret is kept",
        "git add token.txt other.txt",
        "echo done | tee --password-file",
    ],
)
def test_what_programs_say_is_left_alone(text: str) -> None:
    assert mask_text(text) == (text, 0)
