/** What waits for the user, in a few words; nothing where nothing does. */
export function attentionWords(calls: number, settings: boolean): string {
  const approvals = calls === 0 ? "" : `${calls} ${calls === 1 ? "approval" : "approvals"} waiting`;
  return [approvals, settings ? "settings to review" : ""].filter((part) => part !== "").join(", ");
}
