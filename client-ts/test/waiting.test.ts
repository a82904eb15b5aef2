import { describe, expect, test } from "vitest";
import { Waiting } from "../src/common/waiting.js";
import type { ApprovalRequest } from "../src/protocol/generated.js";
import { request } from "./support/examples.js";

const call = (approvalId: string): ApprovalRequest => ({ ...request(), approvalId });
const ids = (waiting: Waiting) => waiting.all.map(({ approvalId }) => approvalId);

/** A list that is on its way until it is said what stands in it. */
function asked(waiting: Waiting) {
  let arrives: (list: ApprovalRequest[] | undefined) => void = () => {};
  const list = new Promise<ApprovalRequest[] | undefined>((resolve) => {
    arrives = resolve;
  });
  const done = waiting.refresh(() => list);
  return async (...approvalIds: string[]) => {
    arrives(approvalIds.map(call));
    await done;
  };
}

describe("a list of what waits", () => {
  test("is the truth of what was told before", async () => {
    const waiting = new Waiting();
    waiting.add(call("gone"));
    await asked(waiting)("a", "b");
    expect(ids(waiting)).toEqual(["a", "b"]);
  });

  test("takes away nothing that was told while it was on its way", async () => {
    const waiting = new Waiting();
    const arrives = asked(waiting);
    waiting.add(call("new"));
    await arrives("a");
    expect(ids(waiting)).toEqual(["a", "new"]);
  });

  test("brings nothing back that ended meanwhile", async () => {
    const waiting = new Waiting();
    waiting.add(call("a"));
    const arrives = asked(waiting);
    waiting.remove("a");
    await arrives("a", "b");
    expect(ids(waiting)).toEqual(["b"]);
  });

  test("that does not come leaves all as it is", async () => {
    const waiting = new Waiting();
    waiting.add(call("a"));
    await waiting.refresh(async () => undefined);
    await expect(waiting.refresh(() => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
    waiting.add(call("b"));
    await asked(waiting)("c");
    expect(ids(waiting)).toEqual(["c"]);
  });
});
