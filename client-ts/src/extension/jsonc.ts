// JSON with comments and trailing commas, as the editor writes its settings. Strict: what is broken has no value at all.

/** The value of the text; undefined where it is broken. A text without any value is no settings: an empty object. */
export function parseJsonc(text: string): unknown {
  if (text.length > LONGEST) return undefined;
  try {
    return new Reader(text.replace(/^\uFEFF/, "")).document();
  } catch (fault) {
    if (fault instanceof SyntaxError) return undefined;
    throw fault;
  }
}

const LONGEST = 1_000_000;
const DEEPEST = 100;
const SPACE = /(?:[\s\u200B]+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;
const SCALAR = /"[^"\\]*(?:\\.[^"\\]*)*"|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): unknown {
    const value = this.next() === "" ? {} : this.value(0);
    if (this.next() !== "") throw new SyntaxError("more than one value");
    return value;
  }

  private value(depth: number): unknown {
    if (depth > DEEPEST) throw new SyntaxError("too deep");
    const opening = this.next();
    if (opening === "{") return byName(this.list("}", () => this.member(depth)));
    if (opening === "[") return this.list("]", () => this.value(depth + 1));
    return this.scalar();
  }

  private member(depth: number): readonly [string, unknown] {
    const name = this.next() === '"' ? (this.scalar() as string) : this.fail();
    if (this.next() !== ":") this.fail();
    this.at += 1;
    return [name, this.value(depth + 1)];
  }

  private list<T>(closing: string, item: () => T): T[] {
    const items: T[] = [];
    this.at += 1;
    while (this.next() !== closing) {
      items.push(item());
      if (this.next() === ",") this.at += 1;
      else if (this.next() !== closing) this.fail();
    }
    this.at += 1;
    return items;
  }

  private scalar(): unknown {
    return JSON.parse(this.take(SCALAR) || this.fail());
  }

  /** The next character that means something, or nothing at the end. */
  private next(): string {
    this.take(SPACE);
    return this.text.charAt(this.at);
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private fail(): never {
    throw new SyntaxError(`unexpected at ${this.at}`);
  }
}

/** Of members with the same name the last one counts, and stands where it stands. Any name may be a key. */
function byName(members: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const last = new Map<string, unknown>();
  for (const [name, value] of members) {
    last.delete(name);
    last.set(name, value);
  }
  return Object.fromEntries(last);
}
