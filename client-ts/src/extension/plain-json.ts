// What the editor answers, as JSON text that a model can read: paths, lines and columns counted from 1, and an end.
import * as vscode from "vscode";
import type { EditorCame } from "../protocol/generated.js";

const MOST_VALUES = 20_000;
const MOST_TEXT = 200_000;
const LONGEST = 10_000;
const DEEPEST = 24;

/** The value as JSON text, cut where it is too much. */
export function plainJson(value: unknown): EditorCame {
  const teller = new Teller();
  const text = JSON.stringify(teller.plain(value, 0)) ?? "null";
  const cut = text.length > MOST_TEXT;
  return { text: cut ? text.slice(0, MOST_TEXT) : text, truncated: cut || teller.cut };
}

class Teller {
  cut = false;
  private left = MOST_VALUES;

  plain(value: unknown, depth: number): unknown {
    this.left -= 1;
    if (this.left < 0 || depth > DEEPEST) {
      this.cut = true;
      return undefined;
    }
    if (typeof value === "string") return this.shortened(value);
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return value;
    return known(value) ?? (Array.isArray(value) ? this.list(value, depth) : this.members(value, depth));
  }

  private shortened(text: string): string {
    if (text.length <= LONGEST) return text;
    this.cut = true;
    return `${text.slice(0, LONGEST)}…`;
  }

  private list(values: readonly unknown[], depth: number): unknown[] {
    const told: unknown[] = [];
    for (const one of values) {
      if (this.left <= 0) {
        this.cut = true;
        break;
      }
      told.push(this.plain(one, depth + 1));
    }
    return told;
  }

  private members(value: object, depth: number): Record<string, unknown> {
    if (value instanceof vscode.MarkdownString) return { markdown: this.shortened(value.value) };
    const told: Record<string, unknown> = {};
    const symbol = value instanceof vscode.SymbolInformation || value instanceof vscode.DocumentSymbol;
    // What classes of the editor show by getters is no member of the object itself; what begins with _ is its own affair.
    for (const [name, one] of Object.entries(value)) {
      if (this.left <= 0) {
        this.cut = true;
        break;
      }
      if (name.startsWith("_") || typeof one === "function" || one === undefined) continue;
      told[name] = name === "kind" && symbol ? vscode.SymbolKind[one as number] : this.plain(one, depth + 1);
    }
    return told;
  }
}

/** What has a shorter form than its members; a range begins and ends at a place. */
function known(value: object): unknown {
  if (value instanceof vscode.Uri) return value.scheme === "file" ? value.fsPath : value.toString();
  if (value instanceof vscode.Position) return place(value);
  if (value instanceof vscode.Range) return { start: place(value.start), end: place(value.end) };
  return undefined;
}

function place({ line, character }: vscode.Position): { line: number; column: number } {
  return { line: line + 1, column: character + 1 };
}
