// Whose calls run without asking now, over all chats and settings: what must never be overlooked.
import type { GrantInfo } from "../protocol/generated.js";
import { Emitter } from "./emitter.js";

/** The bypasses that count, as the server listed them last. */
export class Bypassed {
  readonly changed = new Emitter<readonly GrantInfo[]>();
  grants: readonly GrantInfo[] = [];

  listed(all: readonly GrantInfo[]): void {
    this.grants = all.filter(({ kind, effective }) => BYPASSES.has(kind) && effective !== false);
    this.changed.fire(this.grants);
  }

  /** What has to be switched off: each agent once, and each chat of its own. */
  get switches(): readonly { agent: string; sessionId?: string }[] {
    const found = this.grants.flatMap(({ kind, agentName, sessionId }) => {
      const inChat = kind === "bypass_session" && sessionId ? { sessionId } : {};
      return agentName ? [{ agent: agentName, ...inChat }] : [];
    });
    return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
  }

  /** Each agent once. */
  get agents(): readonly string[] {
    return [...new Set(this.grants.map((grant) => grant.agentName ?? "an agent"))];
  }
}

const BYPASSES: ReadonlySet<GrantInfo["kind"]> = new Set(["bypass_agent", "bypass_session"]);
