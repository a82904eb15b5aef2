// What is allowed without asking and the rules that say so or restrict it, in lists.
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { GrantInfo, RuleStanding } from "../../protocol/generated.js";
import { grantRow, restricts } from "./permits-rows.js";
import type { PermitsView } from "./permits-view.js";

/** The sections by the kinds of what stands in them. What a switch of its own shows is in none. */
const RULES: ReadonlySet<GrantInfo["kind"]> = new Set(["rule", "tool"]);
const NOTHING = "Nothing: every call that is not plain reading asks first.";

export function lists(view: PermitsView, permits: readonly GrantInfo[]): TemplateResult {
  const rules = new Map(view.overview?.rules.map((rule) => [rule.grantId, rule]));
  const ofChats = permits.filter((grant) => grant.scope === "chat" && !restricts(grant));
  const stored = permits.filter((grant) => grant.scope !== "chat");
  const isSwitched = (grant: GrantInfo) => grant.kind === "bypass_agent" && view.overview !== undefined;
  const allowing = stored.filter((grant) => RULES.has(grant.kind));
  const others = stored.filter((grant) => !RULES.has(grant.kind) && !restricts(grant) && !isSwitched(grant));
  const allowsNothing = permits.every(restricts);
  return html`${allowsNothing ? html`<h2>What is allowed without asking</h2><p>${NOTHING}</p>` : nothing}
    ${list(view, "Allowed in chats", ofChats, rules)} ${list(view, "Allowed by rules", allowing, rules, order(view, "allow"))}
    ${list(view, "Allowed by other settings", others, rules)}
    ${list(view, "What is always asked about", ofKind(permits, "ask_rule"), rules, order(view, "ask"))}
    ${list(view, "What is never allowed", ofKind(permits, "deny_rule"), rules, order(view, "deny"))}`;
}

function ofKind(permits: readonly GrantInfo[], kind: GrantInfo["kind"]): readonly GrantInfo[] {
  return permits.filter((grant) => grant.kind === kind);
}

function order(view: PermitsView, effect: RuleStanding["effect"]): string {
  return view.overview?.orders.find((one) => one.effect === effect)?.text ?? "";
}

function list(
  view: PermitsView,
  title: string,
  grants: readonly GrantInfo[],
  rules: ReadonlyMap<string, RuleStanding>,
  about = "",
): TemplateResult | typeof nothing {
  if (grants.length === 0) return nothing;
  return html`<h2>${title}</h2>
    ${about ? html`<p class="facts">${about}</p>` : nothing}
    <ul aria-label=${title}>
      ${repeat(
        grants,
        (one) => one.grantId,
        (one) => grantRow(view, one, rules.get(one.grantId)),
      )}
    </ul>`;
}
