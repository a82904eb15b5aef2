// What text can hide, wherever a card shows text: it stands there as an escape, with a warning, and nothing else changes.
import { expect, test } from "vitest";
import type { ApprovalRequest } from "../../src/protocol/generated.js";
import { request } from "../support/examples.js";
import { ALL } from "../support/sizes.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const CASES: readonly (readonly [name: string, text: string, shown: string])[] = [
  ["direction override", "rm \u202Etxt.sh", "rm ‹U+202E›txt.sh"],
  ["direction isolate", "a \u2067b\u2069 c", "a ‹U+2067›b‹U+2069› c"],
  ["right-to-left mark", "a\u200Fb", "a‹U+200F›b"],
  ["zero width space", "r\u200Bm -rf", "r‹U+200B›m -rf"],
  ["zero width joiner", "a\u200Db", "a‹U+200D›b"],
  ["byte order mark", "ls\uFEFF", "ls‹U+FEFF›"],
  ["soft hyphen", "pass\u00ADwd", "pass‹U+00AD›wd"],
  ["tag characters", "ok\u{E0072}\u{E006D}", "ok‹U+E0072›‹U+E006D›"],
  ["variation selector", "a\uFE0Fb", "a‹U+FE0F›b"],
  ["null", "a\0b", "a‹U+0000›b"],
  ["backspace", "safe\b\b\b\bevil", "safe‹U+0008›‹U+0008›‹U+0008›‹U+0008›evil"],
  ["carriage return", "echo ok\rrm -rf /", "echo ok‹U+000D›rm -rf /"],
  ["ANSI escapes", "\u001B[2K\u001B[1Gls", "‹U+001B›[2K‹U+001B›[1Gls"],
  ["no-break space", "rm\u00A0x", "rm‹U+00A0›x"],
  ["line separator", "ls\u2028rm", "ls‹U+2028›rm"],
  ["mixed scripts", "p\u0430ypal", "p\u0430‹U+0430›ypal"],
  [
    "a host in letters that look like others",
    "curl \u0430\u0440\u0440\u04CF\u0435.com",
    "curl \u0430‹U+0430›\u0440‹U+0440›\u0440‹U+0440›\u04CF‹U+04CF›\u0435‹U+0435›.com",
  ],
  ["four hundred spaces", `ls${" ".repeat(400)}; rm -rf ~`, "ls⋯ 400 spaces ⋯; rm -rf ~"],
];
const EARLIER = "Nothing strange";

test("there are eighteen of them", () => expect(CASES).toHaveLength(18));

test.each(CASES)("%s", async (name, text, shown) => {
  await page.ask(request({ headline: EARLIER }));
  await page.armed();
  expect(await page.card().locator(".hidden-note").count()).toBe(0);
  // That each place alone has the warning does not depend on the text: one of them shows it in the short run.
  for (const places of ALL || name === CASES[0]?.[0] ? alone(placesOf(text)) : together(placesOf(text))) {
    const [digest, changes] = [Object.keys(places).join(), Object.assign({}, ...Object.values(places))];
    await page.tell({ type: "approval", request: request({ argsDigest: digest, refreshed: true, ...changes }) });
    for (const place of Object.keys(places)) {
      const found = page.card().locator(place, { hasText: shown });
      await found.first().waitFor();
      expect(await found.first().evaluate(escapesStandOut)).toBe(true);
    }
    await page.card().locator(".hidden-note").waitFor();
  }
});

type Places = Record<string, Partial<ApprovalRequest>>;

function alone(places: Places): Places[] {
  return Object.entries(places).map(([place, changes]) => ({ [place]: changes }));
}

/** As many on one card as it has room for: one preview. */
function together(places: Places): Places[] {
  const previews = alone(places).filter((one) => Object.values(one).some((changes) => "preview" in changes));
  const others = Object.entries(places).filter(([, changes]) => !("preview" in changes));
  return previews.map((one, at) => (at === 0 ? { ...one, ...Object.fromEntries(others) } : one));
}

/** Where on a card a stranger's text may stand, by what finds it there. */
function placesOf(text: string): Places {
  const line = { kind: "added", text, newNumber: 1 } as const;
  const diff = { kind: "diff", path: "a", realPath: "/w/a", isNew: true, lines: [line], added: 1, removed: 0 } as const;
  const parts = [{ written: text, does: "runs it" }];
  return {
    h2: { headline: text },
    ".meta": { agentName: text },
    ".diff .code": { preview: { ...diff, lines: [line] } },
    "pre.command": { preview: { kind: "command", text, parts } },
    'pre[aria-label="Arguments"]': { preview: { kind: "json", text } },
    blockquote: { agentSays: text },
    ".place": { directory: text },
    ".why": { reason: { code: "x", text } },
  };
}

/** Every escape is drawn apart from the text around it, which no direction leaks into. */
function escapesStandOut(place: Element): boolean {
  const escapes = [...place.querySelectorAll(".escaped")];
  const isApart = (one: Element) =>
    one.closest("bdi") !== null &&
    getComputedStyle(one).borderTopStyle === "solid" &&
    one.getBoundingClientRect().width > 0;
  return (
    escapes.length > 0 &&
    escapes.every(isApart) &&
    getComputedStyle(place.querySelector("bdi") ?? place).unicodeBidi === "isolate"
  );
}

test("a screen reader is told the same as the eye", async () => {
  await page.ask(request({ headline: "Write safe\u202Etxt.exe" }));
  expect(await page.card().getAttribute("aria-label")).toBe("Approval: Write safe‹U+202E›txt.exe");
  const said = await page.page.locator('[role="status"][aria-live="polite"]').textContent();
  expect(said).toBe("Approval needed: Write safe‹U+202E›txt.exe");
});
