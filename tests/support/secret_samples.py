"""Secrets that are none: each is put together here from pieces, so that no text in this tree looks like one."""

LETTERS = "aB3dE5fG7hJ9kL2mN4pQ6rS8tU"
HEX = "0a1b2c3d4e5f6789"
CAPITALS = "A2B3C4D5E6F7G2H3"
DIGITS = "1234567890"


def of(alphabet: str, length: int) -> str:
    """So many characters of an alphabet."""
    return (alphabet * (length // len(alphabet) + 1))[:length]


def an(length: int) -> str:
    """Letters and digits."""
    return of(LETTERS, length)


def hx(length: int) -> str:
    """Hexadecimal digits."""
    return of(HEX, length)


def glued(*pieces: str) -> str:
    """The pieces as one."""
    return "".join(pieces)


UUID = "-".join((hx(8), hx(4), hx(4), hx(4), hx(12)))

SAMPLES: dict[str, tuple[str, ...]] = {
    "AWS access key": (glued("AK", "IA", of(CAPITALS, 16)), glued("AS", "IA", of(CAPITALS, 16))),
    "AWS Bedrock key": (glued("AB", "SK", an(110)), glued("bedrock", "-api-key-", an(60))),
    "AWS signature": (glued("X-Amz-", "Signature=", hx(64)), glued("X-Amz-", "Security-Token=", an(200))),
    "Azure shared access signature": (glued("?si", "g=", an(40), "%3D"),),
    "Azure client secret": (glued("abc8", "Q~", an(34)),),
    "Google API key": (glued("AI", "za", an(35)),),
    "Google OAuth token": (glued("ya", "29.", an(60)),),
    "Google OAuth secret": (glued("GOC", "SPX-", an(28)),),
    "Google refresh token": (glued("1/", "/0", an(60)),),
    "DigitalOcean token": tuple(glued(first, "_v1_", hx(64)) for first in ("dop", "doo", "dor")),
    "Alibaba access key": (glued("LT", "AI", an(20)),),
    "Tencent secret id": (glued("AK", "ID", an(32)),),
    "Cloudflare origin key": (glued("v1", ".0-", hx(24), "-", hx(146)),),
    "Heroku key": (glued("HR", "KU-AA", an(58)),),
    "Fly.io token": (glued("fo", "1_", an(43)), glued("fm", "2_", an(100)), glued("fm", "1r_", an(100))),
    "Netlify token": (glued("nf", "p_", an(40)),),
    "Supabase key": (glued("sb", "p_", hx(40)), glued("sb_", "secret_", an(31))),
    "PlanetScale token": tuple(glued("pscale", kind, an(40)) for kind in ("_tkn_", "_oauth_", "_pw_")),
    "Databricks token": (glued("da", "pi", hx(32), "-2"),),
    "HashiCorp Vault token": tuple(glued(kind, ".", an(95)) for kind in ("hvs", "hvb", "hvr")),
    "Terraform Cloud token": (glued(an(14), ".atlas", "v1.", an(64)),),
    "Pulumi token": (glued("pu", "l-", hx(40)),),
    "Doppler token": (glued("dp", ".pt.", an(43)),),
    "1Password token": (glued("ops", "_ey", "J", an(250)),),
    "Tailscale key": (glued("ts", "key-auth-", an(16), "-", an(20)),),
    "OpenShift token": (glued("sha256", "~", an(43)),),
    "GitHub token": tuple(glued("gh", kind, "_", an(36)) for kind in "pousr"),
    "GitHub fine-grained token": (glued("github", "_pat_", an(22), "_", an(59)),),
    "GitLab token": (
        *tuple(
            glued("gl", kind, "-", an(20))
            for kind in ("pat", "dt", "rt", "ptt", "oas", "ft", "imt", "agent", "soat", "cbt")
        ),
        glued("gl", "pat-", an(40), ".01.", an(9)),
    ),
    "GitLab runner token": (glued("GR", "1348941", an(20)),),
    "GitLab session": (glued("_gitlab", "_session=", hx(32)),),
    "Bitbucket token": (glued("AT", "BB", an(32)),),
    "Atlassian token": (glued("AT", "ATT3", an(180), "=", CAPITALS[:8]), glued("AT", "CTT3", an(180))),
    "Azure DevOps token": (glued(an(76), "AZ", "DO", an(4)),),
    "npm token": (glued("np", "m_", an(36)),),
    "PyPI token": (glued("py", "pi-AgEI", an(80)),),
    "RubyGems token": (glued("ruby", "gems_", hx(48)),),
    "crates.io token": (glued("ci", "o", an(32)),),
    "NuGet key": (glued("oy", "2", of("abcdefghij234567", 43)),),
    "Clojars token": (glued("CLO", "JARS_", hx(60)),),
    "Docker token": (glued("dckr", "_pat_", an(27)), glued("dckr", "_oat_", an(32))),
    "Artifactory key": (glued("AK", "Cp", an(69)), glued("cm", "Vmd", an(59))),
    "CircleCI token": (glued("CCI", "PAT_", an(22), "_", hx(40)),),
    "Buildkite token": (glued("bk", "ua_", hx(40)),),
    "SonarQube token": tuple(glued("sq", kind, "_", hx(40)) for kind in "upa"),
    "Sourcegraph token": (glued("sg", "p_", hx(40)), glued("sg", "p_", hx(16), "_", hx(40))),
    "Postman key": (glued("PM", "AK-", hx(24), "-", hx(34)),),
    "Linear key": (glued("lin", "_api_", an(40)),),
    "Notion token": (glued("nt", "n_", of(DIGITS, 11), an(35)), glued("sec", "ret_", an(43))),
    "Figma token": (glued("fi", "gd_", an(40)),),
    "Airtable token": (glued("pa", "t", an(14), ".", hx(64)),),
    "Anthropic key": (glued("sk", "-ant-api03-", an(93), "AA"), glued("sk", "-ant-admin01-", an(93))),
    "OpenAI key": tuple(glued("sk", kind, an(120)) for kind in ("-proj-", "-svcacct-", "-admin-")),
    "OpenRouter key": (glued("sk", "-or-v1-", hx(64)),),
    "model provider key": (glued("sk", "-", an(48)), glued("sk", "-", hx(32))),
    "Groq key": (glued("gs", "k_", an(52)),),
    "xAI key": (glued("xa", "i-", an(80)),),
    "Perplexity key": (glued("pp", "lx-", an(48)),),
    "Hugging Face token": (glued("h", "f_", an(34)), glued("api", "_org_", an(34))),
    "Replicate token": (glued("r", "8_", an(37)),),
    "Cerebras key": (glued("cs", "k-", of("abc123def456", 48)),),
    "Fireworks key": (glued("f", "w_", an(24)),),
    "NVIDIA key": (glued("nv", "api-", an(64)),),
    "LangSmith key": (glued("ls", "v2_pt_", hx(32), "_", hx(10)),),
    "Tavily key": (glued("tv", "ly-dev-", an(32)),),
    "Slack token": (
        *(
            glued("xo", kind, "-", of(DIGITS, 12), "-", of(DIGITS, 12), "-", an(24))
            for kind in ("xb", "xp", "xa", "xr", "xs")
        ),
        glued("xo", "xe.xo", "xp-1-", an(160)),
        glued("xo", "xe-1-", an(146)),
    ),
    "Slack app token": (glued("xa", "pp-1-A", of(DIGITS, 10), "-", of(DIGITS, 13), "-", hx(64)),),
    "Slack webhook": (glued("https://hooks", ".slack.com/services/", "T", an(9), "/B", an(9), "/", an(24)),),
    "Discord webhook": (glued("https://discord", ".com/api/webhooks/", of(DIGITS, 18), "/", an(68)),),
    "Discord bot token": (glued("M", an(23), ".", an(6), ".", an(38)),),
    "Teams webhook": (
        glued("https://x.webhook", ".office.com/webhookb2/", UUID, "@", UUID, "/IncomingWebhook/", hx(32)),
    ),
    "Telegram bot token": (glued(of(DIGITS, 10), ":A", "A", an(33)),),
    "Stripe key": (*tuple(glued(kind, "_live_", an(24)) for kind in ("sk", "rk")), glued("sk", "_test_", an(99))),
    "Stripe webhook secret": (glued("wh", "sec_", an(32)),),
    "Square token": (glued("sq0", "atp-", an(22)), glued("sq0", "csp-", an(43)), glued("EA", "AA", an(60))),
    "Braintree token": (glued("access", "_token$production$", hx(16), "$", hx(32)),),
    "Shopify token": tuple(glued("sh", kind, "_", hx(32)) for kind in ("pat", "pca", "ppa", "pss")),
    "Plaid token": (glued("access", "-production-", UUID),),
    "Twilio key": (glued("S", "K", hx(32)),),
    "SendGrid key": (glued("S", "G.", an(22), ".", an(43)),),
    "Mailgun key": (glued("ke", "y-", hx(32)),),
    "Mailchimp key": (glued(hx(32), "-u", "s12"),),
    "Brevo key": (glued("xkey", "sib-", hx(64), "-", an(16)),),
    "Resend key": (glued("r", "e_", an(8), "_", an(24)),),
    "Facebook token": (glued("EA", "AM", an(120)),),
    "New Relic key": (glued("NR", "AK-", of(CAPITALS, 27)), glued("NR", "II-", an(32))),
    "Sentry token": (glued("sntr", "ys_eyJ", an(80), "_", an(43)), glued("sntr", "yu_", hx(64))),
    "Grafana token": (glued("gl", "sa_", an(32), "_", hx(8)), glued("gl", "c_", an(60))),
    "Dynatrace token": (glued("dt", "0c01.", of(CAPITALS, 24), ".", of(CAPITALS, 64)),),
    "JSON web token": (
        glued("ey", "JhbGciOiJIUzI1NiJ9.", "ey", "JzdWIiOiIxMjM0In0.", an(43)),
        glued("ey", "JhbGciOiJkaXIifQ..", an(16), ".", an(30), ".", an(22)),
    ),
    "age key": (glued("AGE-SECRET", "-KEY-1", of("QPZRY9X8GF2TVDW0", 58)),),
}
"""At least one of every shape, by the shape's name."""

BODY = "\n".join(an(64) for _ in range(6))


def private_key(kind: str = "RSA ", *, newline: str = "\n") -> str:
    """A private key in its armour."""
    dashes = "-" * 5
    lines = [glued(dashes, "BEGIN ", kind, "PRIVATE", " KEY", dashes), *BODY.split("\n"), an(20) + "=="]
    return newline.join([*lines, glued(dashes, "END ", kind, "PRIVATE", " KEY", dashes)])
