"""What the names of a page's parts mean for who only reads its text."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


SKIPPED = _names("script style template svg math canvas iframe object embed noscript audio video map datalist frameset")
"""Nothing in them is text for readers."""
EMPTY = _names("area base br col embed hr img input link meta param source track wbr")
"""They hold nothing, so they have no end."""
BLOCKS = _names(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form header hgroup html legend main menu nav ol p search section summary table tbody tfoot thead ul"
)
"""What is in them begins on a line of its own."""
HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
MARKS = {"b": "**", "strong": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "code": "`", "kbd": "`", "samp": "`"}
LISTS = frozenset({"ul", "ol", "menu", "dir"})
CELLS = frozenset({"td", "th"})
