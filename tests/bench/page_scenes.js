// What happens on the page while its frames are counted. Each scene begins with an empty page.
"use strict";
(() => {
  const session = {
    sessionId: "s-1", agentId: "demo", agentName: "Demo", mode: "default", title: "", running: false, waiting: 0,
    lastN: 0, bypassAgent: false, bypassSession: false,
  };
  const tell = (message) => window.postMessage(message, "*");
  const event = (n, name, data) => ({ sessionId: "s-1", n, runId: "r-1", event: name, data });
  const chunk = (n, text) => event(n, "Chunk", { text, thinking: null });
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));

  const show = (events, pending = []) => tell({ type: "chat", how: "replace", session, events, pending });
  const ready = () => tell({ type: "connection", state: "ready", text: "", actions: [] });

  const rows = (count) => {
    const events = [];
    for (let at = 0; events.length < count * 2; at += 1) {
      const toolCallId = `c-${at}`;
      const args = { path: `folder/file-${at}.txt` };
      events.push(event(events.length + 1, "ToolCall", {
        toolCallId, tool: "read_file", args, category: "read", headline: `Read folder/file-${at}.txt`, depth: 0,
      }));
      events.push(event(events.length + 1, "ToolResult", {
        toolCallId, tool: "read_file", success: true, is_error: false, output: "milk\nbread\n", durationMs: 3,
      }));
    }
    return events;
  };

  const request = (at) => ({
    approvalId: `a-${at}`, seq: at, sessionId: "s-1", tabId: "s-1", agentName: "Demo", agentId: "demo",
    toolCall: { toolCallId: `w-${at}` }, tool: "write_file", args: { path: `n-${at}.txt`, content: "milk\n" },
    argsDigest: `digest-${at}`, category: "write", headline: `Write n-${at}.txt (+1 −0)`, directory: "/home/ada/project",
    options: [
      { optionId: "allow_once", name: "Approve", kind: "allow_once", scopeText: "This call only." },
      { optionId: "reject_once", name: "Deny", kind: "reject_once" },
    ],
    reason: { code: "needs_approval", text: "Demo must ask before it writes." }, depth: 0, path: [], mode: "default",
    createdAt: "2026-03-01T18:00:00Z",
    preview: {
      kind: "diff", path: `n-${at}.txt`, realPath: `/home/ada/project/n-${at}.txt`, isNew: true, added: 1, removed: 0,
      lines: [{ kind: "added", text: "milk", newNumber: 1 }],
    },
  });

  const framesDuring = async (action) => {
    const gaps = [];
    let goes = true;
    let last = await frame();
    const counting = (async () => {
      while (goes) {
        const now = await frame();
        gaps.push(now - last);
        last = now;
      }
    })();
    await action();
    await painted();
    goes = false;
    await counting;
    gaps.sort((one, other) => one - other);
    const at = (share) => gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * share))];
    return { median: at(0.5), p99: at(0.99), longest: at(1), over: gaps.filter((gap) => gap > 50).length };
  };

  const every = (milliseconds, times, action) =>
    new Promise((done) => {
      const start = performance.now();
      let sent = 0;
      const timer = setInterval(() => {
        // What the timer missed is made up for: the rate is kept.
        const due = Math.min(times, Math.floor((performance.now() - start) / milliseconds));
        while (sent < due) action(sent++);
        if (sent < times) return;
        clearInterval(timer);
        done();
      }, milliseconds);
    });

  const WORDS = ["some words of an answer, ", "with **bold** and `code`, ", "and so on.\n\n", "- a point\n- another\n\n"];
  const flood = (from) => every(5, 2000, (at) => tell({ type: "event", event: chunk(from + at, WORDS[at % 4]) }));

  const deep = (root, selector) => {
    const found = [...root.querySelectorAll(selector)];
    for (const one of root.querySelectorAll("*")) if (one.shadowRoot) found.push(...deep(one.shadowRoot, selector));
    return found;
  };
  const thread = () => deep(document, "assent-thread")[0];

  const until = async (condition) => {
    const start = performance.now();
    while (!condition()) {
      if (performance.now() - start > 60000) throw new Error(`it never came: ${condition}`);
      await frame();
    }
    await painted();
  };
  const timed = async (action, condition) => {
    const start = performance.now();
    action();
    await until(condition);
    return { painted: performance.now() - start };
  };
  const pending = (count) => Array.from({ length: count }, (_, at) => request(at + 1));
  const begin = async () => {
    ready();
    show([]);
    await until(() => thread());
  };
  const drawnRows = () => deep(thread().shadowRoot, "assent-tool-row").length;
  const drawnCards = () => deep(thread().shadowRoot, "assent-card").filter((one) => one.shadowRoot?.querySelector("button")).length;

  window.scenes = {
    idle: async () => {
      await begin();
      return framesDuring(() => new Promise((done) => setTimeout(done, 3000)));
    },
    boxes: async () => {
      const box = document.createElement("div");
      document.body.replaceChildren(box);
      return timed(() => {
        for (let at = 0; at < 10000; at += 1) {
          const one = document.createElement("div");
          one.textContent = `Read folder/file-${at}.txt`;
          box.append(one);
        }
      }, () => true);
    },
    stream: async () => {
      await begin();
      tell({ type: "event", event: event(1, "Prompt", { text: "go" }) });
      return framesDuring(() => flood(2));
    },
    "stream below rows": async () => {
      await begin();
      show(rows(10000));
      await until(() => drawnRows() > 0);
      return framesDuring(() => flood(20001));
    },
    rows: async () => {
      await begin();
      const events = rows(10000);
      return timed(() => show(events), () => drawnRows() > 0);
    },
    "scroll through rows": async () => {
      await begin();
      show(rows(10000));
      await until(() => drawnRows() > 0);
      return framesDuring(async () => {
        for (let step = 0; step < 300; step += 1) {
          thread().scrollTop -= 700;
          await frame();
        }
      });
    },
    "500 cards": async () => {
      await begin();
      const all = pending(500);
      return timed(() => show([], all), () => drawnCards() >= 3);
    },
    "1,000 cards": async () => {
      await begin();
      const all = pending(1000);
      return timed(() => show([], all), () => drawnCards() >= 3);
    },
    "an answer among 1,000 cards": async () => {
      await begin();
      show([], pending(1000));
      await until(() => drawnCards() >= 3);
      const ended = (at) => ({
        approvalId: `a-${at}`, sessionId: "s-1", toolCallId: `w-${at}`, status: "allowed", resolvedBy: "user",
        reasonText: "You chose “Approve”.", decision: "allow_once",
      });
      return framesDuring(async () => {
        for (let at = 1; at <= 40; at += 1) {
          tell({ type: "resolved", resolved: ended(at) });
          await frame();
          await frame();
        }
      });
    },
  };
})();
