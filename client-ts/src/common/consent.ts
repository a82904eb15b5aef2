// The open question about settings of the workspace: kept for pages that come later, and answered once at a time.
import { type ConsentRequest, ErrorCode } from "../protocol/generated.js";
import { ANSWER_TIMEOUT_MS } from "./answers.js";
import { Emitter } from "./emitter.js";
import type { Ends } from "./ends.js";
import type { ChatMessageOf } from "./page-messages.js";
import { type ServerFault, toFault } from "./server.js";

/** At most one question is open; a later one takes its place. */
export class OpenConsent {
  readonly changed = new Emitter<void>();
  private request: ConsentRequest | undefined;

  constructor(private readonly ends: Ends) {}

  get isOpen(): boolean {
    return this.request !== undefined;
  }

  /** The server asks. */
  ask(request: ConsentRequest): void {
    this.request = request;
    this.ends.post({ type: "consent", request });
    this.changed.fire();
  }

  /** A page is new: it gets what is open. */
  show(): void {
    if (this.request !== undefined) this.ends.post({ type: "consent", request: this.request });
  }

  /** The question with this id is closed; without one, whatever is open. */
  close(consentId = this.request?.consentId): void {
    if (consentId === undefined) return;
    this.ends.post({ type: "consentClosed", consentId });
    if (this.request?.consentId !== consentId) return;
    this.request = undefined;
    this.changed.fire();
  }

  /** Sends what the user picked. The page always hears what came of it. */
  async answer({ consentId, digest, honour }: ChatMessageOf<"consentAnswer">): Promise<void> {
    const failed = (text: string) => this.ends.post({ type: "consentFailed", consentId, text });
    const server = this.ends.server;
    const refused = this.refusal(consentId, digest, honour);
    if (refused !== undefined || server === undefined) return failed(refused ?? NO_SERVER);
    const alarm = this.ends.after(ANSWER_TIMEOUT_MS, () => failed(NO_WORD));
    try {
      const outcome = await server.request("settings/consentResponse", { consentId, digest, honour });
      // Where the answer could not be kept, the server goes on asking, unless it said otherwise before.
      if (outcome.error && this.request?.consentId === consentId) return failed(outcome.error);
      this.ends.post({ type: "consentAnswered", consentId, outcome });
      this.close(consentId);
    } catch (error) {
      const fault = toFault(error);
      this.ends.log("warning", `settings/consentResponse: ${fault.message} (${fault.code})`);
      failed(explain(fault));
    } finally {
      alarm.dispose();
    }
  }

  private refusal(consentId: string, digest: string, honour: readonly string[]): string | undefined {
    const { request } = this;
    if (request?.consentId !== consentId || request.digest !== digest) return CHANGED;
    const known = new Set(request.entries.map((entry) => entry.entryId));
    return honour.every((entryId) => known.has(entryId)) ? undefined : "This was not asked for.";
  }
}

const NO_SERVER = "There is no connection to the server, so nothing was answered and nothing is allowed.";
const NO_WORD = "No word from the server within 5 seconds. Your answer may still count; you can answer again.";
const CHANGED = "The settings changed after this was shown, so your answer did not count.";

function explain(fault: ServerFault): string {
  if (fault.code === ErrorCode.DIGEST_MISMATCH) return CHANGED;
  return `Your answer did not count: ${fault.message} (${fault.code})`;
}
