// Settings that the user saved by hand: the server is told, where there is none yet as soon as there is one.
import type { AttestParams } from "../protocol/generated.js";
import type { Ends } from "./ends.js";
import { toFault } from "./server.js";

/** Tells of each file what it was saved as last. */
export class HandSaves {
  /** What was saved while there was no server, by its file. */
  private readonly before = new Map<string, AttestParams>();

  constructor(private readonly ends: Ends) {}

  /** A server is there. */
  connected(): void {
    const missed = [...this.before.values()];
    this.before.clear();
    for (const saved of missed) void this.attest(saved);
  }

  async attest(saved: AttestParams): Promise<void> {
    const server = this.ends.server;
    if (server === undefined) {
      this.before.set(saved.file, saved);
      return;
    }
    try {
      const { counted } = await server.request("settings/attest", saved);
      this.ends.log("info", `saved by hand in ${saved.file}: ${counted} of the settings need no further question`);
    } catch (error) {
      // It only spares a question: what is not attested is asked.
      this.ends.log("warning", `settings/attest: ${toFault(error).message}`);
    }
  }
}
