// What most sessions never need of the extension: a bundle of its own, loaded when some of it is needed.
import { agentCommands } from "./agent-commands.js";
import { type AttachContext, attachCommands } from "./attach-commands.js";
import { historyCommands } from "./history-commands.js";
import { type KeyContext, keyCommands } from "./key-commands.js";
import { type ModelContext, modelCommands } from "./model-commands.js";
import type { RareCommand } from "./rare-names.js";
import { type RunContext, runCommands } from "./run-commands.js";

export { pickFiles } from "./attach-commands.js";
export { compareFiles } from "./comparing.js";
export { answerRequest, Misfit } from "./editor-answers.js";
export { notifyWaiting } from "./notify.js";

/** What they work with. */
export type RareContext = ModelContext & KeyContext & RunContext & AttachContext;

/** What each of them does. */
export function rareCommands(context: RareContext): Record<RareCommand, (...given: unknown[]) => unknown> {
  return {
    ...historyCommands(context),
    ...keyCommands(context),
    ...modelCommands(context),
    ...agentCommands(context),
    ...runCommands(context),
    ...attachCommands(context),
  };
}
