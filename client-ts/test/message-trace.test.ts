import { describe, expect, it } from "vitest";
import { headline, withoutBodies } from "../src/extension/message-trace.js";

describe("what the log tells of messages", () => {
  it.each([
    ["Sending request 'chat/send - (3)'.", "Sending request 'chat/send - (3)'."],
    ['Sending request \'chat/send - (3)\'.\nParams: {"text":"canary"}', "Sending request 'chat/send - (3)'."],
    ["Received notification 'agent/event'.\r\nParams: canary", "Received notification 'agent/event'."],
    ['{"isLSPMessage":true,"message":{"params":"canary"}}', "A message (not shown: it may hold secrets)"],
    ["", ""],
  ])("of %j only what names it", (message, told) => {
    expect(headline(message)).toBe(told);
  });

  it("never holds a body, and leaves everything else of the log as it is", () => {
    const lines: unknown[][] = [];
    const log = {
      name: "Assent",
      trace: (...said: unknown[]) => lines.push(["trace", ...said]),
      info: (...said: unknown[]) => lines.push(["info", ...said]),
    };
    const traced = withoutBodies(log);
    traced.trace("Sending request 'a'.\nParams: canary", { text: "canary" });
    traced.info("started", 3);
    expect(traced.name).toBe("Assent");
    expect(lines).toEqual([
      ["trace", "Sending request 'a'."],
      ["info", "started", 3],
    ]);
  });
});
