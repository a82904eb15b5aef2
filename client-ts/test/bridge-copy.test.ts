import { expect, test } from "vitest";
import { Room, settled } from "./support/bridge-room.js";

async function copies(room: Room, text: string): Promise<void> {
  room.bridge.attach(room.page);
  room.page.say({ type: "copy", id: "c-1", text });
  await settled();
}

test("a text goes into the clipboard exactly as it is, and the page is told once it is there", async () => {
  const room = new Room();
  await copies(room, "  rm -rf ./build\t\n\u202e\n");
  expect(room.copied).toEqual(["  rm -rf ./build\t\n\u202e\n"]);
  expect(room.page.of("copied")).toEqual([{ type: "copied", id: "c-1", ok: true }]);
});

test("what the clipboard does not take is not said to be there", async () => {
  const room = new Room();
  room.clipboardRefuses = true;
  await copies(room, "text");
  expect(room.page.of("copied")).toEqual([{ type: "copied", id: "c-1", ok: false }]);
});
