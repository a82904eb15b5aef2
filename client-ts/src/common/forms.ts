// The forms that MCP servers and agents put to the user: which wait, and the way of an answer to the server.
import { isRecord } from "../protocol/check.js";
import type { FormEnded, FormRequest } from "../protocol/generated.js";
import { Emitter } from "./emitter.js";
import type { Ends } from "./ends.js";
import type { ChatMessageOf } from "./page-messages.js";
import { type Server, toFault } from "./server.js";

/** All that are open, in any chat; the page shows those of its own. */
export class OpenForms {
  readonly changed = new Emitter<void>();
  private readonly ids = new Set<string>();

  constructor(private readonly ends: Ends) {}

  get count(): number {
    return this.ids.size;
  }

  asked(request: FormRequest): void {
    this.ids.add(request.formId);
    this.ends.post({ type: "form", request });
    this.changed.fire();
  }

  /** It waits no more, however that came about. */
  ended({ formId }: Pick<FormEnded, "formId">): void {
    this.ids.delete(formId);
    this.ends.post({ type: "formEnded", formId });
    this.changed.fire();
  }

  /** What waits at this server, and nothing else. */
  async refresh(server: Server): Promise<void> {
    const list = await this.ends.tried("The list of forms", () => server.request("form/pending", {}));
    if (this.ends.server === server && list) this.keep(list.forms);
  }

  /** These wait, and no others. */
  keep(forms: readonly FormRequest[]): void {
    const waiting = new Set(forms.map(({ formId }) => formId));
    for (const formId of this.ids) if (!waiting.has(formId)) this.ended({ formId });
    for (const request of forms) this.asked(request);
  }

  /** Sends what the user did. The page hears of it by the form's end, or why it still waits. */
  async answer({ formId, action, content }: ChatMessageOf<"formAnswer">): Promise<void> {
    try {
      if (!this.ends.server) throw new Error("Not connected. Nothing was sent.");
      await this.ends.server.request("form/answer", { formId, action, ...(content && { content }) });
    } catch (error) {
      const { message, data } = toFault(error);
      this.ends.post({ type: "formFailed", formId, text: message, path: isRecord(data) ? String(data.path) : "" });
    }
  }
}
