// The names of the commands that are loaded when they are run.

export const RARE_COMMANDS = [
  "assent.showHistory",
  "assent.exportHistory",
  "assent.verifyHistory",
  "assent.showMetrics",
  "assent.setKey",
  "assent.removeKey",
  "assent.chooseModel",
  "assent.addAgent",
  "assent.reviewRun",
  "assent.addToChat",
] as const;

/** One of them. */
export type RareCommand = (typeof RARE_COMMANDS)[number];
