// Events in order and without gaps, and those that pass beside them.
import { describe, expect, test } from "vitest";
import { EventOrder } from "../src/common/event-order.js";
import { text } from "./support/examples.js";
import { printed } from "./support/shells.js";

const nothing = { ready: [], missing: false };

describe("what passes", () => {
  test("is passed on where the page stands, as often as it comes, and moves nothing", () => {
    const order = new EventOrder(3);
    const one = printed(3, "a");
    expect(order.receive(one)).toEqual({ ready: [one], missing: false });
    expect(order.receive(one)).toEqual({ ready: [one], missing: false });
    expect(order.lastN).toBe(3);
    expect(order.receive(text(4, "b")).ready).toHaveLength(1);
  });

  test("is passed on a little late, behind what came meanwhile", () => {
    const late = printed(2, "a");
    expect(new EventOrder(3).receive(late).ready).toEqual([late]);
  });

  test("is dropped before what it follows, and no reason to load", () => {
    const order = new EventOrder(3);
    expect(order.receive(printed(4, "a"))).toEqual(nothing);
    expect(order.receive(printed(9, "a"))).toEqual(nothing);
    expect(order.lastN).toBe(3);
    expect(order.receive(text(4, "b"))).toEqual({ ready: [text(4, "b")], missing: false });
  });

  test("is dropped while something is loaded, and not part of what comes after it", () => {
    const order = new EventOrder(3);
    order.startLoading();
    expect(order.receive(printed(3, "a"))).toEqual(nothing);
    expect(order.receive(text(5, "c"))).toEqual(nothing);
    expect(order.loaded(4)).toEqual([text(5, "c")]);
    expect(order.lastN).toBe(5);
  });

  test("is dropped while what is missing is loaded", () => {
    const order = new EventOrder(3);
    expect(order.receive(text(5, "c")).missing).toBe(true);
    expect(order.receive(printed(3, "a"))).toEqual(nothing);
    expect(order.loaded(4).map(({ n }) => n)).toEqual([5]);
  });

  test("is nothing else where it says so itself", () => {
    const order = new EventOrder(3);
    const kept = { ...text(4, "b"), passing: false };
    expect(order.receive(kept)).toEqual({ ready: [kept], missing: false });
    expect(order.receive(kept)).toEqual(nothing);
  });
});
