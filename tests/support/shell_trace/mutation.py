"""Lines that are nearly another one: a piece is taken out, doubled, moved, or gets something in its middle."""

import random
import re

_TOKEN = re.compile(r"\s+|[A-Za-z0-9_./-]+|.", re.DOTALL)
_INSERTED = (
    *(
        "'",
        '"',
        "\\",
        "\n",
        "\\\n",
        "$IFS",
        "${x@P}",
        "\u00a0",
        "\u2003",
        " ",
        ";",
        "&",
        "|",
        "#",
        "$(",
        ")",
        "`",
        "{",
        "}",
        ",",
    ),
    *(
        "$",
        "*",
        "?",
        "[",
        "]",
        "~",
        "!",
        "=",
        "<",
        ">",
        ">>",
        "<<",
        "-",
        "--",
        "/",
        "..",
        "$'",
        '$"',
        "\t",
        "\r",
        "\x0b",
        "\x01",
    ),
    *(
        "<(",
        "((",
        "[[",
        "]]",
        "time ",
        "! ",
        "\u200b",
        "\u2028",
        "%",
        "@",
        "^",
        ":",
        "-o ",
        " -exec ",
        "${",
        "$((",
        "function ",
        "\ufeff",
    ),
    *(
        " -e ",
        " w x ",
        ">x",
        " -i",
        "export ",
        "\\'",
        "'\\''",
        "&>",
        "|&",
        ";;",
        " in ",
        " do ",
        " then ",
        "{a,b}",
        "\u00e9",
        "$x",
        "''",
    ),
)


def mutated(rng: random.Random, text: str) -> str:
    """The line with one to three small changes."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        text = _once(rng, text)
    return text.replace("\0", "")


def _once(rng: random.Random, text: str) -> str:
    tokens = _TOKEN.findall(text)
    if not tokens:
        return rng.choice(_INSERTED)
    at = rng.randrange(len(tokens))
    match rng.choice(("insert", "insert", "inside", "delete", "swap", "double", "quote")):
        case "insert":
            tokens.insert(at, rng.choice(_INSERTED))
        case "inside":
            where = rng.randrange(len(tokens[at]) + 1)
            tokens[at] = tokens[at][:where] + rng.choice(_INSERTED) + tokens[at][where:]
        case "delete":
            del tokens[at]
        case "swap":
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case "double":
            tokens.insert(at, tokens[at])
        case "quote":
            tokens[at] = rng.choice(("'{}'", '"{}"', "$'{}'", "\\{}", "({})", "$({})")).format(tokens[at])
    return "".join(tokens)
