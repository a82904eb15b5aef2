// Instead of the table of all 2,231 named entities: those that a model writes. Any other stays as it was written.
const NAMED = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: "\u00A0",
    hellip: "…",
    mdash: "—",
    ndash: "–",
    copy: "©",
    reg: "®",
    trade: "™",
    times: "×",
    deg: "°",
    laquo: "«",
    raquo: "»",
    lsquo: "‘",
    rsquo: "’",
    ldquo: "“",
    rdquo: "”",
    larr: "←",
    rarr: "→",
    uarr: "↑",
    darr: "↓",
    bull: "•",
    middot: "·",
  }),
);

export function decodeHTMLStrict(text) {
  return NAMED.get(text.slice(1, -1)) ?? text;
}
