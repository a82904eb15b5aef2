/** What waits for the user, in a few words; nothing where nothing does. */
export function attentionWords(calls: number, settings: boolean, forms = 0): string {
  const approvals = calls === 0 ? "" : `${calls} ${calls === 1 ? "approval" : "approvals"} waiting`;
  const asked = forms === 0 ? "" : `${forms} ${forms === 1 ? "form" : "forms"} to fill in`;
  return [approvals, asked, settings ? "settings to review" : ""].filter((part) => part !== "").join(", ");
}
