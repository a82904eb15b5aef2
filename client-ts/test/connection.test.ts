import { describe, expect, test } from "vitest";
import { Server, ServerFault, serverFault } from "../src/common/server.js";
import { SocketConnection } from "../src/playground/rpc.js";

function connected() {
  const sent: { id?: number; method?: string; error?: { code: number } }[] = [];
  const connection = new SocketConnection({ send: (text) => void sent.push(JSON.parse(text)) });
  return { connection, sent };
}

describe("JSON-RPC over a socket", () => {
  test("an answer finds its request, whatever the order", async () => {
    const { connection, sent } = connected();
    const [one, two] = [connection.request("a", {}), connection.request("b", {})];
    for (const { id } of sent.toReversed()) connection.receive(JSON.stringify({ id, result: `of ${id}` }));
    expect(await Promise.all([one, two])).toEqual(["of 1", "of 2"]);
  });

  test("an error keeps its code and data", async () => {
    const { connection } = connected();
    const asked = connection.request("a", {});
    connection.receive('{"id":1,"error":{"code":-31002,"message":"late","data":{"status":"timeout"}}}');
    await expect(asked).rejects.toMatchObject({ code: -31002, message: "late", data: { status: "timeout" } });
  });

  test("the end of the socket ends what was asked, and what is asked later", async () => {
    const { connection, sent } = connected();
    const asked = connection.request("a", {});
    connection.end();
    await expect(asked).rejects.toThrow(ServerFault);
    await expect(connection.request("b", {})).rejects.toThrow(/lost/);
    connection.notify("c", {});
    expect(sent).toHaveLength(1);
  });

  test.each(["", "{", "null", "[]", "7", '{"id":"1","result":1}', '{"id":9,"result":1}', '{"jsonrpc":"2.0"}'])(
    "what is no message is dropped: %s",
    (text) => {
      const { connection, sent } = connected();
      expect(() => connection.receive(text)).not.toThrow();
      expect(sent).toEqual([]);
    },
  );

  test("a request of the server is refused", () => {
    const { connection, sent } = connected();
    connection.receive('{"id":"x","method":"settings/write","params":{}}');
    expect(sent).toMatchObject([{ id: "x", error: { code: -32601 } }]);
  });
});

describe("an answer that does not fit", () => {
  test.each([
    ["nothing", undefined],
    ["another shape", { sessionId: "s-1" }],
    ["a mode that is none", { sessionId: "s-1", mode: "yolo" }],
  ])("is no success: %s", async (_name, result) => {
    const server = new Server({
      request: async () => result,
      notify: () => {},
      onNotification: () => ({ dispose: () => {} }),
    });
    const malformed: string[] = [];
    server.malformed.on(({ method }) => malformed.push(method));
    await expect(server.request("session/new", {})).rejects.toThrow(/not understood/);
    expect(malformed).toEqual(["session/new"]);
  });
});

const hello = (assent: unknown) => ({ capabilities: { experimental: { assent } } });

test.each<[string, unknown, RegExp | undefined]>([
  ["ours", hello({ version: 1, options: ["allow_once"], serverVersion: "0.1.0" }), undefined],
  ["a later one", hello({ version: 2, options: [], serverVersion: "9.0.0" }), /version 2/],
  ["another server", { capabilities: {} }, /no server of Assent/],
  ["nothing", undefined, /no server of Assent/],
])("the server's greeting is checked: %s", (_name, result, fault) => {
  if (fault === undefined) expect(serverFault(result)).toBeUndefined();
  else expect(serverFault(result)).toMatch(fault);
});
