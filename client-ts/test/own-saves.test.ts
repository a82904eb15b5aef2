import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { attestation, type OwnSave, OwnSaves } from "../src/extension/own-saves.js";

/** An editor as it was watched: the order and the marks of its events are those of a real one. */
class Editor {
  readonly found: OwnSave[] = [];
  isWriting = false;
  text = "";
  isDirty = false;
  time = 0;
  private readonly saves = new OwnSaves(
    () => this.isWriting,
    () => this.time,
  );

  open(text: string, isDirty = false): this {
    Object.assign(this, { text, isDirty });
    this.saves.opened(this.state());
    return this;
  }

  /** The edit that makes a document dirty is told as if it were clean; then comes the word that it is dirty. */
  type(text: string): this {
    this.text = text;
    this.saves.changed({ ...this.state() }, true);
    if (this.isDirty) return this;
    this.isDirty = true;
    this.saves.changed(this.state(), false);
    return this;
  }

  reload(text: string): this {
    Object.assign(this, { text, isDirty: false });
    this.saves.changed(this.state(), true);
    return this;
  }

  revert(text: string): this {
    this.reload(text);
    this.saves.changed(this.state(), false);
    return this;
  }

  /** Back to what is on disk, by undoing. */
  undo(text: string): this {
    this.text = text;
    this.saves.changed(this.state(), true);
    this.isDirty = false;
    this.saves.changed(this.state(), false);
    return this;
  }

  /** Dirty without any edit: another encoding, for example. */
  getsDirty(): this {
    this.isDirty = true;
    this.saves.changed(this.state(), false);
    return this;
  }

  passes(milliseconds: number): this {
    this.time += milliseconds;
    return this;
  }

  willSave(byHand = true): this {
    this.saves.willSave(this.state(), byHand);
    return this;
  }

  saved(): this {
    this.isDirty = false;
    this.saves.changed(this.state(), false);
    this.saves.changed(this.state(), false);
    this.tellSaved();
    return this;
  }

  tellSaved(): void {
    const found = this.saves.saved(this.state());
    if (found !== undefined) this.found.push(found);
  }

  save(byHand = true): this {
    return this.willSave(byHand).saved();
  }

  close(): this {
    this.saves.closed("f");
    return this;
  }

  own(write: (editor: this) => void): this {
    this.isWriting = true;
    write(this);
    this.isWriting = false;
    return this;
  }

  private state() {
    return { id: "f", text: this.text, isDirty: this.isDirty };
  }
}

const pairs = (editor: Editor) => editor.found.map(({ before, after }) => `${before}>${after}`);
const editor = () => new Editor();

describe("a save by hand", () => {
  test.each<[string, Editor, string[]]>([
    ["after one edit", editor().open("a").type("b").save(), ["a>b"]],
    ["after several edits", editor().open("a").type("b").passes(9000).type("c").type("d").save(), ["a>d"]],
    ["after an edit long after opening", editor().open("a").passes(9000).type("b").save(), ["a>b"]],
    ["again begins where the last one ended", editor().open("a").type("b").save().type("c").save(), ["a>b", "b>c"]],
    ["after an automatic one", editor().open("a").type("b").save(false).type("c").save(), ["b>c"]],
    ["of what was formatted meanwhile", editor().open("a").type("b").willSave().type("B").saved(), ["a>B"]],
    ["after one that failed", editor().open("a").type("b").willSave().type("c").willSave().saved(), ["a>c"]],
    ["after an automatic one that failed", editor().open("a").type("b").willSave(false).willSave().saved(), ["a>b"]],
    ["after a reload from disk", editor().open("a").reload("x").passes(9000).type("y").save(), ["x>y"]],
    ["after a reload and an edit at once", editor().open("a").reload("x").type("y").save(), ["x>y"]],
    ["after two reloads", editor().open("a").reload("x").reload("y").type("z").save(), ["y>z"]],
    ["after a revert", editor().open("a").type("b").revert("x").type("y").save(), ["x>y"]],
    ["after undoing and editing again", editor().open("a").type("b").undo("a").type("c").save(), ["a>c"]],
    ["of what undoing a reload brought back", editor().open("a").reload("x").passes(9000).type("a").save(), ["x>a"]],
    [
      "after Assent wrote",
      editor()
        .open("a")
        .own((one) => one.type("b").save())
        .type("c")
        .save(),
      ["b>c"],
    ],
    [
      "after Assent was refused",
      editor()
        .open("a")
        .type("b")
        .own(() => {})
        .save(),
      ["a>b"],
    ],
    ["of a file that was opened again", editor().open("a").type("b").close().open("x").type("y").save(), ["x>y"]],
  ])("%s is told with what it changed", (_name, played, expected) => expect(pairs(played)).toEqual(expected));
});

describe("no save by hand is", () => {
  test.each<[string, Editor]>([
    ["an automatic one", editor().open("a").type("b").save(false)],
    ["a reload from disk", editor().open("a").reload("b").saved()],
    ["a save of a clean document after a reload", editor().open("a").reload("b").save()],
    [
      "a save of a document that only became dirty after a reload",
      editor().open("a").reload("b").passes(9000).getsDirty().save(),
    ],
    [
      "one by Assent",
      editor()
        .open("a")
        .own((one) => one.type("b").save()),
    ],
    [
      "one that Assent's write overtook",
      editor()
        .open("a")
        .type("b")
        .own((one) => one.willSave())
        .saved(),
    ],
    [
      "one that ends while Assent writes",
      editor()
        .open("a")
        .type("b")
        .willSave()
        .own((one) => one.saved()),
    ],
    [
      "one of edits that Assent may have made",
      editor()
        .open("a")
        .own((one) => one.type("b"))
        .save(),
    ],
    [
      "one with edits that Assent may have added",
      editor()
        .open("a")
        .type("b")
        .own((one) => one.type("c"))
        .save(),
    ],
    ["one of a document that was dirty when it was opened", editor().open("b", true).type("c").save()],
    ["one of a file that nobody saw opened", editor().type("b").save()],
    ["one of a file that was closed", editor().open("a").type("b").willSave().close().saved()],
    ["a word of a save that nobody began", editor().open("a").type("b").saved()],
  ])("%s", (_name, played) => {
    const changed = played.found.filter(({ before, after }) => before !== after);
    expect(changed).toEqual([]);
  });

  test("one that went on being edited", () => {
    const played = editor().open("a").type("b").willSave();
    played.type("c").tellSaved();
    expect(played.found).toEqual([]);
    expect(pairs(played.save())).toEqual([]);
    expect(pairs(played.type("d").save())).toEqual(["c>d"]);
  });

  test("a document that was dirty at the opening, but is known once it was saved", () => {
    expect(pairs(editor().open("b", true).save().type("c").save())).toEqual(["b>c"]);
  });
});

describe("what the server is told", () => {
  const save: OwnSave = { id: "f", before: "{}", after: '{"assent.mode": "auto"}' };
  const bytes = (text: string) => new TextEncoder().encode(text);
  const told = (on: Uint8Array, changes: Partial<OwnSave> = {}) =>
    attestation({ ...save, ...changes }, "/w/.vscode/settings.json", "folder", on);

  test("are the changed settings, and the bytes by their digest", () => {
    expect(told(bytes(save.after))).toEqual({
      file: "/w/.vscode/settings.json",
      sha256: createHash("sha256").update(save.after).digest("hex"),
      entries: [{ key: "assent.mode", before: null, after: "auto" }],
    });
  });

  test("goes by the bytes: a mark of their order belongs to them", () => {
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...bytes(save.after)]);
    expect(told(marked)?.sha256).toBe(createHash("sha256").update(marked).digest("hex"));
  });

  test.each<[string, Uint8Array, Partial<OwnSave>]>([
    ["the disk says something else", bytes('{"assent.mode": "ask"}'), {}],
    ["the disk is empty", bytes(""), {}],
    ["the bytes are no text", new Uint8Array([...bytes(save.after), 0xff]), {}],
    ["nothing of ours changed", bytes("{ }"), { after: "{ }" }],
    ["it does not parse", bytes('{"assent.mode": '), { after: '{"assent.mode": ' }],
    ["it did not parse before", bytes(save.after), { before: "{" }],
  ])("is nothing when %s", (_name, on, changes) => expect(told(on, changes)).toBeUndefined());
});
