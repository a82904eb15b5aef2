// What parts of a program's text are, well enough to colour them. It decides nothing, and what it does not know is plain.

export const KINDS = ["comment", "string", "number", "keyword"] as const;
export type Kind = (typeof KINDS)[number];

/** A part of a line. */
export interface Token {
  start: number;
  end: number;
  kind: Kind;
}

/** What is known of a way of writing. */
export interface Language {
  lineComment: RegExp | undefined;
  blockComment: readonly [start: string, end: string] | undefined;
  /** Longer ones before those that they begin with. What is `long` goes on over the end of a line. */
  quotes: readonly { mark: string; long: boolean }[];
  keywords: ReadonlySet<string>;
  ignoreCase: boolean;
}

/** What a line begins in the middle of: everything up to here is of this kind. */
export interface Unended {
  until: string;
  kind: Kind;
}

/** Where the line ends, and what it is. */
export interface Line {
  tokens: Token[];
  unended: Unended | undefined;
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER =
  /(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)(?:[a-zA-Z]\w{0,3})?\b/uy;

const plain = (...marks: string[]) => marks.map((mark) => ({ mark, long: false }));
const long = (...marks: string[]) => marks.map((mark) => ({ mark, long: true }));
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const C_LIKE = words(
  "abstract as async await bool boolean break case catch char class const continue crate debugger declare def default " +
    "defer delete do double dyn else enum export extends extern false final finally float fn for foreach from func " +
    "function go goto if impl implements import in inline instanceof int interface internal is let long loop match " +
    "mod module mut namespace new nil null object of operator override package private protected pub public range " +
    "readonly record return select self short sizeof static string struct super switch template this throw throws " +
    "trait true try type typedef typeof undefined union unsafe unsigned use using val var virtual void volatile when " +
    "where while with yield",
);
const PYTHON = words(
  "and as assert async await break case class continue def del elif else except False finally for from global if " +
    "import in is lambda match None nonlocal not or pass raise return self True try while with yield",
);
const RUBY = words(
  "alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or " +
    "redo require rescue retry return self super then true undef unless until when while yield",
);
const SHELL = words(
  "case do done elif else esac export exec exit fi for function if in local readonly return select set shift source " +
    "sudo then trap unset until while",
);
const SQL = words(
  "add all alter and as asc begin between by case cascade check column commit constraint create database default " +
    "delete desc distinct drop else end exists false foreign from full grant group having if in index inner insert " +
    "into is join key left like limit not null on or order outer primary references revoke right rollback select set " +
    "table then transaction true truncate union unique update values view when where with",
);
const CONSTANTS = words("true false null yes no on off");
const NONE: ReadonlySet<string> = new Set();

const HASH = /#/y;
/** Where a word begins: `a#b` holds no comment in a shell. */
const HASH_APART = /(?<![^\s;&|()])#/y;
const SLASHES = /\/\//y;
const DASHES = /--/y;

function language(more: Partial<Language>): Language {
  return {
    lineComment: undefined,
    blockComment: undefined,
    quotes: plain('"', "'"),
    keywords: NONE,
    ignoreCase: false,
    ...more,
  };
}

const slashed = { lineComment: SLASHES, blockComment: ["/*", "*/"] as const };
const LANGUAGES = {
  c: language({ ...slashed, keywords: C_LIKE, quotes: [...plain('"', "'"), ...long("`")] }),
  // A single quote alone begins a name of a lifetime there.
  rust: language({ ...slashed, keywords: C_LIKE, quotes: plain('"') }),
  css: language({ blockComment: ["/*", "*/"] }),
  json: language({ ...slashed, quotes: plain('"'), keywords: CONSTANTS }),
  python: language({
    lineComment: HASH,
    keywords: PYTHON,
    quotes: [...long('"""', "'''"), ...plain('"', "'")],
  }),
  ruby: language({ lineComment: HASH, keywords: RUBY }),
  shell: language({ lineComment: HASH_APART, keywords: SHELL, quotes: long('"', "'") }),
  settings: language({ lineComment: HASH_APART, keywords: CONSTANTS }),
  sql: language({ lineComment: DASHES, blockComment: ["/*", "*/"], keywords: SQL, ignoreCase: true }),
  lua: language({ lineComment: DASHES, keywords: RUBY }),
  markup: language({ blockComment: ["<!--", "-->"], quotes: plain('"') }),
} satisfies Record<string, Language>;

const ENDINGS: Record<keyof typeof LANGUAGES, string> = {
  c: "c cc cjs cpp cs cts cxx dart go h hpp java js jsx kt kts m mjs mm mts php proto scala swift ts tsx zig",
  rust: "rs",
  css: "css less scss",
  json: "json json5 jsonc webmanifest",
  python: "py pyi pyw",
  ruby: "cr ex exs rb rake",
  shell: "bash fish ksh sh zsh dockerfile makefile mk",
  settings: "cfg conf env gitignore ini properties toml yaml yml",
  sql: "sql",
  lua: "elm hs lua",
  markup: "htm html svelte svg vue xhtml xml",
};
const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([name, endings]) =>
    endings.split(" ").map((ending) => [ending, LANGUAGES[name as keyof typeof LANGUAGES]] as const),
  ),
);

/** The language of a file, by its name. */
export function languageOf(path: string): Language | undefined {
  const name = path.split(/[\\/]/).at(-1) ?? "";
  return BY_ENDING.get((name.split(".").at(-1) ?? "").toLowerCase());
}

export const SHELL_LANGUAGE: Language = LANGUAGES.shell;
export const JSON_LANGUAGE: Language = LANGUAGES.json;

/** The parts of one line, or of a text of several. `unended`: what the lines before it are in the middle of. */
export function tokens(text: string, language: Language, unended?: Unended): Line {
  const found: Token[] = [];
  let at = 0;
  const take = (end: number, kind: Kind) => {
    if (end > at) found.push({ start: at, end, kind });
    at = end;
  };
  if (unended !== undefined) {
    const end = text.indexOf(unended.until);
    if (end < 0) return { tokens: text === "" ? [] : [{ start: 0, end: text.length, kind: unended.kind }], unended };
    take(end + unended.until.length, unended.kind);
  }
  while (at < text.length) {
    const next = beginning(text, at, language);
    if (next === undefined) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    else if (next.kind === undefined) at = next.end;
    else {
      take(next.end, next.kind);
      if (next.unended !== undefined) return { tokens: found, unended: next.unended };
    }
  }
  return { tokens: found, unended: undefined };
}

interface Beginning {
  end: number;
  /** None: a word that means nothing here. */
  kind: Kind | undefined;
  unended?: Unended;
}

function beginning(text: string, at: number, language: Language): Beginning | undefined {
  return comment(text, at, language) ?? quoted(text, at, language) ?? wordOrNumber(text, at, language);
}

function comment(text: string, at: number, { lineComment, blockComment }: Language): Beginning | undefined {
  if (blockComment !== undefined && text.startsWith(blockComment[0], at)) {
    const end = text.indexOf(blockComment[1], at + blockComment[0].length);
    return end < 0
      ? { end: text.length, kind: "comment", unended: { until: blockComment[1], kind: "comment" } }
      : { end: end + blockComment[1].length, kind: "comment" };
  }
  if (!matchesAt(lineComment, text, at)) return undefined;
  const end = text.indexOf("\n", at);
  return { end: end < 0 ? text.length : end, kind: "comment" };
}

function quoted(text: string, at: number, { quotes }: Language): Beginning | undefined {
  const quote = quotes.find(({ mark }) => text.startsWith(mark, at));
  if (quote === undefined) return undefined;
  const { mark, long: goesOn } = quote;
  for (let end = at + mark.length; end < text.length; end += 1) {
    if (text.startsWith(mark, end)) return { end: end + mark.length, kind: "string" };
    if (text[end] === "\\") end += 1;
    else if (text[end] === "\n" && !goesOn) return { end, kind: "string" };
  }
  const unended = goesOn ? { unended: { until: mark, kind: "string" as const } } : {};
  return { end: text.length, kind: "string", ...unended };
}

function wordOrNumber(text: string, at: number, { keywords, ignoreCase }: Language): Beginning | undefined {
  const word = matchAt(WORD, text, at);
  if (word !== undefined) {
    const isKnown = keywords.has(ignoreCase ? word.toLowerCase() : word);
    return { end: at + word.length, kind: isKnown ? "keyword" : undefined };
  }
  const number = matchAt(NUMBER, text, at);
  return number === undefined ? undefined : { end: at + number.length, kind: "number" };
}

function matchesAt(pattern: RegExp | undefined, text: string, at: number): boolean {
  return pattern !== undefined && matchAt(pattern, text, at) !== undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
