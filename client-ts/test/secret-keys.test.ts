import { describe, expect, it } from "vitest";
import { keyFault, SecretKeys, type SecretStorage } from "../src/extension/secret-keys.js";

/** A storage that takes its time: whoever does not wait for it loses something. */
class Storage implements SecretStorage {
  readonly kept = new Map<string, string>();

  async get(name: string): Promise<string | undefined> {
    await Promise.resolve();
    return this.kept.get(name);
  }

  async store(name: string, value: string): Promise<void> {
    await Promise.resolve();
    this.kept.set(name, value);
  }

  async delete(name: string): Promise<void> {
    await Promise.resolve();
    this.kept.delete(name);
  }
}

const HERE = "Ollama@http://127.0.0.1:11434";
const THERE = "Ollama@https://ollama.example";

describe("keys", () => {
  it("are found under exactly the name that they were stored under", async () => {
    const keys = new SecretKeys(new Storage());
    await keys.set(HERE, "one");
    expect(await keys.get(HERE)).toBe("one");
    for (const name of [THERE, "Ollama", "", "ollama@http://127.0.0.1:11434"])
      expect(await keys.get(name)).toBeUndefined();
  });

  it("that are stored at once are all listed, each once", async () => {
    const keys = new SecretKeys(new Storage());
    await Promise.all([keys.set(HERE, "one"), keys.set(THERE, "two"), keys.set(HERE, "three")]);
    expect((await keys.names()).toSorted()).toEqual([HERE, THERE].toSorted());
    expect(await keys.get(HERE)).toBe("three");
  });

  it("that are removed leave nothing behind", async () => {
    const storage = new Storage();
    const keys = new SecretKeys(storage);
    await keys.set(HERE, "one");
    await keys.set(THERE, "two");
    await keys.remove(HERE);
    expect(await keys.get(HERE)).toBeUndefined();
    expect(await keys.names()).toEqual([THERE]);
    expect([...storage.kept.values()].join()).not.toContain("one");
  });

  it("are never to be had by the name of the list of names", async () => {
    const keys = new SecretKeys(new Storage());
    await keys.set(HERE, "one");
    expect(await keys.get("assent.keyNames")).toBeUndefined();
  });

  it.each(["", "[]", "no JSON", '{"names": 3}', '{"names": [1, null]}'])(
    "can be stored where the list holds %j",
    async (text) => {
      const storage = new Storage();
      storage.kept.set("assent.keyNames", text);
      const keys = new SecretKeys(storage);
      expect(await keys.names()).toEqual([]);
      await keys.set(HERE, "one");
      expect(await keys.names()).toEqual([HERE]);
    },
  );

  it("go on being stored after the storage failed once", async () => {
    const storage = new Storage();
    const keys = new SecretKeys(storage);
    const store = storage.store.bind(storage);
    storage.store = () => Promise.reject(new Error("locked"));
    await expect(keys.set(HERE, "one")).rejects.toThrow("locked");
    storage.store = store;
    await keys.set(HERE, "two");
    expect(await keys.get(HERE)).toBe("two");
  });
});

describe("a key as it is typed", () => {
  it.each(["sk-ant-api03-AbC_9", "  copied-with-blanks-around\n", "a=b/c+d:e"])("%j can be one", (typed) => {
    expect(keyFault(typed)).toBeUndefined();
  });

  it.each(["", "   ", "two words", "line\nbreak", "schlüssel", "x\u200by", "k".repeat(9000)])(
    "%j is none, and what is said of it does not repeat it",
    (typed) => {
      const fault = keyFault(typed);
      expect(fault).toBeTruthy();
      if (typed.trim() !== "") expect(fault).not.toContain(typed.trim());
    },
  );
});
