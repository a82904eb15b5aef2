// Questions that change, go or move in the very moment of a click: what is answered is what stood there, or nothing is.
import { expect, test } from "vitest";
import type { HostMessage } from "../../src/common/page-messages.js";
import { resolution, session } from "../support/examples.js";
import { numbered } from "../support/page-state.js";
import { ALL } from "../support/sizes.js";
import { EditorPage } from "./browser.js";
import { aPageForEachTest, browser, server } from "./each-page.js";

aPageForEachTest();

const ROUNDS = ALL ? 1000 : 200;
const PAGES = 4;
const ROUNDS_OF_A_CHAT = 50;
const MOMENTS = ["before", "pointerdown", "pointerup", "click", "drawn", "never"] as const;
const CHANGES = ["changed", "replaced", "moved", "gone"] as const;

/** What happens in one round, and when in it. */
interface Round {
  number: number;
  moment: (typeof MOMENTS)[number];
  change: (typeof CHANGES)[number];
  /** How long the card has stood there when it is pressed. */
  stands: number;
  ask: HostMessage;
  next: HostMessage[];
}

/** What was under the pointer when it went down, and what the page said because of it. */
interface Seen {
  shown: string;
  stood: number;
  answered: string[];
}

/** Always the same numbers, so that a failure can be looked at. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

function roundsOf(count: number, seed: number): Round[] {
  const random = numbers(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next().value * from.length)] as T;
  return Array.from({ length: count }, (_, number) => {
    const change = pick(CHANGES);
    const moment = pick(MOMENTS);
    return {
      number,
      moment,
      change,
      stands: pick([0, 200, 399, 400, 900]),
      ask: asked(number),
      next: after(number, change),
    };
  });
}

function asked(number: number, changes = {}): HostMessage {
  return { type: "approval", request: numbered(number, { headline: `Asks for digest-${number}`, ...changes }) };
}

/** What comes in between: other arguments for the same question, another question in its place, or its end. */
function after(number: number, change: Round["change"]): HostMessage[] {
  const other = `other-${number}`;
  const ended = resolution({ approvalId: `a-${number}`, toolCallId: `c-${number}`, status: "cancelled" });
  const end: HostMessage = { type: "resolved", resolved: { ...ended, decision: null } };
  const changes = { argsDigest: other, headline: `Asks for ${other}` };
  if (change === "changed") return [asked(number, { ...changes, refreshed: true })];
  if (change === "gone") return [end];
  const replacing = { ...changes, approvalId: `b-${number}`, toolCall: { toolCallId: `d-${number}` }, seq: number + 1 };
  return change === "replaced" ? [end, asked(number, replacing)] : [];
}

test(`of ${ROUNDS} clicks into a change none answers what was not read`, { timeout: 600_000 }, async () => {
  const rounds = roundsOf(ROUNDS, 7);
  const share = ROUNDS / PAGES;
  const parts = Array.from({ length: PAGES }, (_, part) => rounds.slice(part * share, (part + 1) * share));
  const seen = (await Promise.all(parts.map(playedOnAPage))).flat();
  expect(seen).toHaveLength(ROUNDS);
  expect(seen.flatMap((one, at) => (isRight(one) ? [] : [words(rounds[at] as Round, one)]))).toEqual([]);
  // Those that nothing disturbed are answered: otherwise all of this would be true of a page without buttons.
  const calm = seen.filter((_, at) => isCalm(rounds[at] as Round));
  expect(calm.length).toBeGreaterThan(ROUNDS / 40);
  expect(calm.filter((one) => one.answered.length !== 1)).toEqual([]);
});

async function playedOnAPage(rounds: readonly Round[]): Promise<Seen[]> {
  const page = await EditorPage.open(browser, server.address);
  await page.stopClock();
  const seen: Seen[] = [];
  for (let from = 0; from < rounds.length; from += ROUNDS_OF_A_CHAT) {
    await page.tell({ type: "chat", how: "replace", session: session(), events: [], pending: [] });
    await page.drawn();
    seen.push(...(await page.page.evaluate(play, rounds.slice(from, from + ROUNDS_OF_A_CHAT))));
  }
  expect(page.faults).toEqual([]);
  await page.page.close();
  return seen;
}

function isRight({ shown, stood, answered }: Seen): boolean {
  return answered.length === 0 || (answered.length === 1 && answered[0] === shown && stood >= 400);
}

function words({ number, change, moment }: Round, { shown, stood, answered }: Seen): string {
  return `${number}: ${change} at ${moment}; ${shown} stood ${stood} ms; answered ${answered.join(", ")}`;
}

function isCalm({ moment, stands }: Round): boolean {
  return moment === "never" && stands >= 400;
}

/** Plays rounds on the page: a pointer that hits whatever stands there when it goes down, and when it goes up. */
async function play(rounds: Round[]): Promise<Seen[]> {
  const world = window as unknown as { __passed: number; __heard: ((message: unknown) => void) | undefined };
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
  const thread = document.querySelector("assent-app")?.shadowRoot?.querySelector("assent-thread")?.shadowRoot;
  const tell = (messages: readonly unknown[]) => {
    for (const data of messages) window.dispatchEvent(new MessageEvent("message", { data }));
  };
  const deepest = (x: number, y: number): Element | null => {
    let found = document.elementFromPoint(x, y);
    for (;;) {
      const inside: Element | null | undefined = found?.shadowRoot?.elementFromPoint(x, y);
      if (!inside || inside === found) return found;
      found = inside;
    }
  };
  const approve = (): Element | undefined => {
    const rows = [...(thread?.querySelectorAll("assent-tool-row") ?? [])];
    const cards = rows.flatMap((row) => [...(row.shadowRoot?.querySelectorAll("assent-card") ?? [])]);
    return cards.at(-1)?.shadowRoot?.querySelector('button[data-kind="allow_once"]') ?? undefined;
  };
  const cardAt = (x: number, y: number) => {
    const root = deepest(x, y)?.getRootNode();
    return root instanceof ShadowRoot ? root.querySelector("h2")?.textContent?.trim() : undefined;
  };

  const place = () => {
    const button = approve();
    const card = (button?.getRootNode() as ShadowRoot | undefined)?.querySelector("h2")?.textContent;
    return `${card} ${button?.getBoundingClientRect().top}`;
  };

  const seen: Seen[] = [];
  for (const { ask, next, change, moment, stands } of rounds) {
    const disturb = () => {
      if (change === "moved") {
        const block = document.createElement("div");
        block.style.height = "60px";
        thread?.querySelector(".items")?.prepend(block);
      } else tell(next);
    };
    const answered: string[] = [];
    world.__heard = (message) => {
      const { type, argsDigest } = message as { type: string; argsDigest: string };
      if (type === "answer") answered.push(argsDigest);
    };
    tell([ask]);
    await frame();
    approve()?.scrollIntoView({ block: "center" });
    await frame();
    let since = world.__passed;
    world.__passed += stands;
    await new Promise((resolve) => setTimeout(resolve, 0));
    thread?.host.dispatchEvent(new Event("scroll"));
    await frame();
    const box = approve()?.getBoundingClientRect();
    if (!box) throw new Error("there is no button to press");
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (moment === "before") disturb();
    if (moment === "drawn") {
      const before = place();
      disturb();
      await frame();
      await frame();
      if (place() !== before) since = world.__passed;
    }
    const shown = (cardAt(x, y) ?? "").replace("Asks for ", "");
    const stood = world.__passed - since;
    const pointer = { bubbles: true, composed: true, cancelable: true, detail: 1, clientX: x, clientY: y };
    const pressed = deepest(x, y);
    if (moment === "pointerdown") disturb();
    pressed?.dispatchEvent(new PointerEvent("pointerdown", pointer));
    if (moment === "pointerup") disturb();
    const released = deepest(x, y);
    released?.dispatchEvent(new PointerEvent("pointerup", pointer));
    // A browser lets a click fall on what was both pressed and released.
    if (moment === "click") window.addEventListener("click", disturb, { capture: true, once: true });
    if (pressed === released) released?.dispatchEvent(new MouseEvent("click", pointer));
    window.removeEventListener("click", disturb, { capture: true });
    await frame();
    world.__heard = undefined;
    seen.push({ shown, stood, answered });
    // Whatever is left of this round goes, so that the next one has the only card.
    for (const one of [ask, ...next] as {
      type: string;
      request?: { approvalId: string; toolCall: { toolCallId: string } };
    }[]) {
      if (!one.request) continue;
      const { approvalId, toolCall } = one.request;
      const ended = {
        approvalId,
        sessionId: "s-1",
        toolCallId: toolCall.toolCallId,
        status: "cancelled",
        resolvedBy: "stop",
        reasonText: "",
      };
      tell([{ type: "resolved", resolved: ended }]);
    }
    await frame();
  }
  return seen;
}
