"""What is no secret although it stands where one would: placeholders, references, calls, names of types."""

import re

_PLACEHOLDER = re.compile(
    r"""(?ix)
      \$\w+ | \$\{[^{}]*\} | \$env:\w+ | \$\(.*\) | `.*` | %\w+%
    | <[^<>]*>[;,]? | \{\{.*\}\}?
    | \{[\w.\[\]()'"-]*\} | @\w+@
    | \$\{\{.*\}\}? | [*•]+ | [.…]+ | x{3,} | [_-]+ | your[-_ ].* | my[-_ ](?:token|key|secret|password)
    | (?:basic|bearer|digest|token)(?:\s*(?:[.…]+|<[^<>]*>|\$\w+|\$?\{.*\}+))?\s*
    | redacted | hidden | masked | \[masked:? | (?:\[masked:[ ][^\[\]\n]{1,60}\])+
    | none | null | nil | undefined | true | false | yes | no | required | optional | empty | todo | tbd | n/a | string
    """
)
_TYPES = frozenset(
    {
        "str",
        "string",
        "number",
        "int",
        "integer",
        "bool",
        "boolean",
        "bytes",
        "any",
        "unknown",
        "object",
        "float",
        "void",
        "never",
        "optional",
        "secretstr",
        "char",
        "text",
        "varchar",
        "uuid",
        "self",
        "this",
    }
)
_CALL = re.compile(r"(?:await\s+|new\s+)?[A-Za-z_$][\w.$:]*!?\(.*", re.DOTALL)
_WHOLE_CALL = re.compile(r"[A-Za-z_$][\w.]*\([^()]*\)[;,)]*")
_SUBSCRIPT = re.compile(r"[A-Za-z_$][\w.$]*\[.*", re.DOTALL)
_REFERENCE = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)*")
_PATH = re.compile(r"(?:[~.]{0,2}/|[A-Za-z]:[\\/]|\.{1,2}$)")
_LETTER, _DIGIT = re.compile(r"[A-Za-z]"), re.compile(r"\d")


def is_placeholder(value: str) -> bool:
    """Whether a person would see at once that this is not the value itself."""
    return not value.strip() or (len(value) <= 300 and _PLACEHOLDER.fullmatch(value.strip()) is not None)


def is_code(value: str) -> bool:
    """Whether this is an expression that fetches the value from elsewhere."""
    head = value[:300]
    return bool(_CALL.fullmatch(head) or _SUBSCRIPT.fullmatch(head))


def is_whole_call(value: str) -> bool:
    """Whether this is a call and nothing more: where signs need no quotes, a password may hold brackets."""
    return len(value) <= 300 and _WHOLE_CALL.fullmatch(value) is not None


def is_reference(value: str) -> bool:
    """Whether this could be a name in a program: letters, and dots between names."""
    return len(value) <= 100 and _REFERENCE.fullmatch(value) is not None


def is_type(value: str) -> bool:
    """Whether this names a type, as in `password: str`."""
    return value.rstrip("?;,|").lower() in _TYPES


def is_path(value: str) -> bool:
    """Whether this begins like a path."""
    return _PATH.match(value) is not None


def is_opaque(value: str) -> bool:
    """Whether this does not look like a word of prose or a name: letters and digits, or signs between them."""
    if len(value) < 6:
        return False
    return bool(_LETTER.search(value) and (_DIGIT.search(value) or not is_reference(value)) and not value.isalpha())
