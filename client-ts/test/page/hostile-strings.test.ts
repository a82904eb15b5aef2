// Two hundred texts that want to be markup, in every field that a stranger fills, on the page as it is shipped.
import { expect, test } from "vitest";
import type { HostMessage } from "../../src/common/page-messages.js";
import { visibleText } from "../../src/common/visible-text.js";
import type { ApprovalRequest } from "../../src/protocol/generated.js";
import { event, request, session, text, toolResult } from "../support/examples.js";
import { HOSTILE_STRINGS } from "../support/hostile-strings.js";
import { numbered } from "../support/page-state.js";
import { EditorPage } from "./browser.js";
import { aPageForEachTest, browser, page, server } from "./each-page.js";
import { foreignMarkup } from "./markup.js";

aPageForEachTest();

const AT_ONCE = 25;
const parts = Array.from({ length: HOSTILE_STRINGS.length / AT_ONCE }, (_, part) => part * AT_ONCE);

test("there are two hundred of them, each another", () => {
  expect(new Set(HOSTILE_STRINGS).size).toBe(200);
});

test.each(parts)("from the %sth on they are text, in every field", async (from) => {
  const requested: string[] = [];
  page.page.on("request", (one) => requested.push(one.url()));
  const attacks = HOSTILE_STRINGS.slice(from, from + AT_ONCE);
  const [first = ""] = attacks;
  const hostile = session({ agentName: first, title: first });
  await page.tell({ type: "chat", how: "replace", session: hostile, events: [], pending: [] });
  await page.tell({ type: "chats", sessions: [hostile, session({ sessionId: "s-2", title: first })], agents: [] });
  await page.tell(...attacks.flatMap(asTold));
  await page.tell(...attacks.map((attack, at): HostMessage => ({ type: "approval", request: asked(attack, at) })));
  await page.page
    .locator("assent-card")
    .nth(AT_ONCE - 1)
    .waitFor();
  await page.drawn();

  const headlines = await page.page.locator("assent-card h2").allTextContents();
  expect(headlines.map((one) => one.trim())).toEqual(attacks.map((attack) => visibleText(attack).trim()));
  await unfoldAll();
  await page.drawn();
  const found = await foreignMarkup(page);
  expect(found.foreign).toEqual([]);
  expect(found.handlers).toEqual([]);
  expect(found.links.filter((href) => !href.startsWith("https://example.invalid"))).toEqual([]);
  expect(requested.filter((url) => url !== `${server.address}later.js`)).toEqual([]);
  expect(page.answers()).toEqual([]);
});

/** Shows everything that a click could show. */
async function unfoldAll(): Promise<void> {
  for (const fold of await page.page.locator("details").elementHandles())
    await fold.evaluate((one) => (one as Element).setAttribute("open", ""));
}

/** What an agent and its tools say. */
function asTold(attack: string, at: number): HostMessage[] {
  const [n, toolCallId] = [at * 10, `told-${at}`];
  const named = { toolCallId, tool: attack, args: { [attack]: attack }, headline: attack };
  return [
    event(n + 1, "Chunk", { text: null, thinking: attack }),
    text(n + 2, `${attack}\n\n# ${attack}\n\n- ${attack}\n\n> ${attack}`),
    event(n + 3, "ToolCall", { ...named, category: "read", depth: 0 }),
    event(n + 4, "ToolUpdate", { toolCallId, phase: "running", note: attack, outputDelta: attack }),
    toolResult(n + 5, { toolCallId, tool: attack, output: attack, path: attack, content: attack }),
    event(n + 6, "Notification", { text: attack, level: "warning" }),
  ].map((told) => ({ type: "event", event: told }));
}

/** A question with the text in every field that has room for one; each kind of preview in its turn. */
function asked(attack: string, at: number): ApprovalRequest {
  const step = { number: 1, name: attack, headline: attack, category: "read" as const, notes: [attack] };
  const command = {
    kind: "command" as const,
    text: attack,
    parts: [{ written: attack, does: attack, notes: [attack] }],
  };
  const line = { kind: "added", text: attack, newNumber: 1 } as const;
  const previews: readonly NonNullable<ApprovalRequest["preview"]>[] = [
    { kind: "json", text: attack },
    { ...command, unreadable: attack, sandbox: attack, note: attack },
    { kind: "url", before: attack, host: attack, after: attack, note: attack },
    { kind: "diff", path: attack, realPath: attack, isNew: true, lines: [line], added: 1, removed: 0, note: attack },
    { kind: "steps", title: attack, steps: [{ ...step, preview: command }], done: 0 },
  ];
  const { options } = request();
  return numbered(at, {
    ...{ agentName: attack, tool: attack, headline: attack, directory: attack, path: [attack], agentSays: attack },
    toolCall: { toolCallId: `asked-${at}`, title: attack },
    args: { [attack]: attack },
    reason: { code: attack, text: attack, rule: { pattern: attack, scope: attack, file: attack, line: 1 } },
    risk: { level: "high", notes: [attack] },
    inexact: [attack],
    preview: previews[at % previews.length] ?? null,
    options: options.map((option) => ({ ...option, name: attack, scopeText: attack, alsoResolves: 2 })),
  });
}

test("what were markup all the same would not be run, and would fetch nothing", async () => {
  const strict = await EditorPage.open(browser, server.address);
  const answered: string[] = [];
  strict.page.on("response", (one) => answered.push(one.url()));
  const expected = [
    "connect-src",
    "form-action",
    "frame-src",
    "img-src",
    "media-src",
    "script-src-attr",
    "script-src-elem",
  ];
  const blocked = await strict.page.evaluate(async (wanted) => {
    const directives: string[] = [];
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) =>
      directives.push(effectiveDirective),
    );
    const markup = document.createElement("div");
    markup.innerHTML =
      '<img src="/x.png" onerror="window.hit=1"><iframe src="/x.html"></iframe><object data="/x"></object>' +
      '<form action="/sent"><input name="a"></form><video src="/x.mp4"></video><button onclick="window.hit=2">x</button>';
    document.body.append(markup);
    const script = document.createElement("script");
    script.textContent = "window.hit = 3";
    document.body.append(script);
    markup.querySelector("button")?.click();
    markup.querySelector("form")?.submit();
    await fetch("/asked").catch(() => {});
    for (let turn = 0; turn < 200 && wanted.some((one) => !directives.includes(one)); turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    return { directives, hit: (window as unknown as { hit?: number }).hit };
  }, expected);
  expect(blocked.hit).toBeUndefined();
  expect(blocked.directives).toEqual(expect.arrayContaining(expected));
  expect(answered).toEqual([]);
  expect(strict.page.url()).toBe(server.address);
  await strict.page.close();
});
