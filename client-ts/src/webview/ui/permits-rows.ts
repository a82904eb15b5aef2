// One thing that is allowed or restricted: what it is, since when, how long, where it stands, and the way to take it back.
import { html, nothing, type TemplateResult } from "lit";
import { visibleText } from "../../common/visible-text.js";
import type { GrantInfo, RuleStanding } from "../../protocol/generated.js";
import { endWords, momentWords } from "../time-words.js";
import { type Confirmation, confirm, fileLink, guarded, type PermitsView, placeWords } from "./permits-view.js";
import "./ticking.js";
import { visible, visibleLine } from "./visible.js";

const REMOVE: Partial<Record<GrantInfo["kind"], string>> = {
  deny_rule: "Remove this ban",
  ask_rule: "Remove this rule",
};
/** Without a rule that restricts, more may run: not by one press that went astray. */
const LOOSER: Partial<Record<GrantInfo["kind"], string>> = {
  deny_rule: "What it forbids is asked about again, or runs at once where a mode, a bypass or another rule allows it.",
  ask_rule: "What it asks about runs without a question wherever a mode, a bypass or another rule allows it.",
};

/** Whether it restricts: it is no permission, and is not used up. */
export function restricts({ kind }: GrantInfo): boolean {
  return REMOVE[kind] !== undefined;
}

export function grantRow(view: PermitsView, grant: GrantInfo, rule?: RuleStanding): TemplateResult {
  const remove = wordsOf(grant);
  return html`<li data-grant-id=${grant.grantId}>
    ${rule ? ruleWords(rule) : html`<p>${visible(grant.text)}</p>`}
    <p class="facts">${reach(view, grant)}${grant.agentName ? html` · ${visibleLine(grant.agentName)}` : nothing}</p>
    ${grant.effective === false ? html`<p><strong>Has no effect</strong> until you agree to it.</p>` : nothing}
    ${rule?.remark ? html`<p class="remark">${visible(rule.remark)} ${rule.beside?.file ? fileLink(view, rule.beside.file, rule.beside.line) : nothing}</p>` : nothing}
    ${grant.givenAt ? html`<p class="facts">Given ${momentWords(grant.givenAt)}${grant.givenOn ? html` on the card “${visibleLine(grant.givenOn)}”` : nothing}</p>` : nothing}
    ${restricts(grant) || rule ? nothing : html`<p class="facts">${usedWords(grant)}</p>`}
    ${grant.ends ? html`<p class="facts"><assent-ticking .since=${grant.ends} .words=${(passed: number) => endWords(grant.ends, passed)}></assent-ticking></p>` : nothing}
    ${stored(view, grant)}
    ${removal(view, grant, `${remove}: ${visibleText(rule ? `${rule.tool} ${rule.pattern}` : grant.text)}`)}
  </li>`;
}

function wordsOf({ kind }: GrantInfo): string {
  return REMOVE[kind] ?? "Remove";
}

/** What permits goes by one press; what restricts goes for what was shown, after it was read what that means. */
function removal(view: PermitsView, grant: GrantInfo, name: string): TemplateResult {
  const { grantId, kind, digest } = grant;
  const looser = LOOSER[kind];
  const goes = view.state.removing.includes(grantId);
  const confirmation: Confirmation = { about: `remove ${grantId}`, digest: digest ?? "" };
  const isAsked = !goes && view.asking?.about === confirmation.about && view.asking.digest === confirmation.digest;
  const take = () => view.actions.removeGrant(grantId, digest ?? undefined);
  const press = looser === undefined ? take : () => view.ask(isAsked ? undefined : confirmation);
  return html`${guarded(view, goes ? "Removing…" : wordsOf(grant), press, { name, can: !goes, stays: looser !== undefined })}
    ${isAsked && looser ? confirm(view, looser, "Remove it", take) : nothing}`;
}

function ruleWords({ tool, pattern, does, agents }: RuleStanding): TemplateResult {
  return html`<p class="mono">${visibleLine(tool)}: ${visibleLine(pattern)}</p>
    <p>${visible(does)}${agents ? html` Only for ${agents.length > 0 ? visibleLine(agents.join(", ")) : "no agent"}.` : nothing}</p>`;
}

function reach({ state }: PermitsView, { scope, sessionId }: GrantInfo): string {
  if (scope === "user") return "In every workspace";
  if (scope === "workspace") return "In this workspace";
  if (sessionId === state.session?.sessionId) return "In this chat";
  const title = state.chats.find((chat) => chat.sessionId === sessionId)?.title;
  return title ? `In the chat “${visibleText(title.slice(0, 60))}”` : "In another chat";
}

function stored(view: PermitsView, { setting, file, line, scope }: GrantInfo): TemplateResult | typeof nothing {
  if (!setting && !file) return nothing;
  return html`<p class="facts">
    Stored in ${setting ? html`<span class="mono">${visibleLine(setting)}</span>` : nothing}
    ${file ? fileLink(view, file, line) : scope === "chat" ? nothing : html` · ${placeWords(view, { scope })}`}
  </p>`;
}

function usedWords({ used, lastUsedAt }: GrantInfo): string {
  if (!used) return "Not used yet";
  const times = used === 1 ? "Used once" : `Used ${used} times`;
  return lastUsedAt ? `${times}, last ${momentWords(lastUsedAt)}` : times;
}
