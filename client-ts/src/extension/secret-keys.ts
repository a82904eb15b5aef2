// The keys of model servers, in the editor's secret storage and nowhere else.
import { isRecord } from "../protocol/check.js";

/** The editor's secret storage, as far as it is used. */
export interface SecretStorage {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

const PREFIX = "assent.key:";
/** Which names there are stands among the secrets, too: it says where the user has accounts. */
const NAMES = "assent.keyNames";
const LONGEST = 8192;

/** Keys by the names that the server gives them: an agent's name and the address that the key is for. */
export class SecretKeys {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly storage: SecretStorage) {}

  /** The key that the user stored under this name. */
  async get(name: string): Promise<string | undefined> {
    return this.storage.get(PREFIX + name);
  }

  set(name: string, key: string): Promise<void> {
    return this.inTurn(async () => {
      await this.keepNames([...(await this.names()).filter((one) => one !== name), name]);
      await this.storage.store(PREFIX + name, key);
    });
  }

  remove(name: string): Promise<void> {
    return this.inTurn(async () => {
      await this.storage.delete(PREFIX + name);
      await this.keepNames((await this.names()).filter((one) => one !== name));
    });
  }

  /** The names under which keys are stored, also of agents that there are no more. */
  async names(): Promise<string[]> {
    const kept = parsed(await this.storage.get(NAMES));
    const names = isRecord(kept) ? kept.names : undefined;
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  }

  private keepNames(names: readonly string[]): PromiseLike<void> {
    return this.storage.store(NAMES, JSON.stringify({ names }));
  }

  /** Two changes at once would lose a name. */
  private inTurn(change: () => Promise<void>): Promise<void> {
    const done = this.last.then(change);
    this.last = done.catch(() => undefined);
    return done;
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is wrong with a key as it was typed, without the key; undefined where nothing is. */
export function keyFault(typed: string): string | undefined {
  const key = typed.trim();
  if (key === "") return "Enter the key.";
  if (key.length > LONGEST) return "This is too long for a key.";
  return /^[\x21-\x7e]+$/.test(key) ? undefined : "A key has no blanks and no special characters.";
}
