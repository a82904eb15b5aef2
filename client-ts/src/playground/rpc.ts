// JSON-RPC over a WebSocket: one message, one JSON text.

import { type Disposable, Emitter } from "../common/emitter.js";
import { type Connection, ServerFault, toFault } from "../common/server.js";
import { isRecord } from "../protocol/check.js";
import { ErrorCode } from "../protocol/generated.js";

/** As much of a WebSocket as is used. */
export interface Wire {
  send(text: string): void;
}

interface Waiter {
  resolve(result: unknown): void;
  reject(fault: ServerFault): void;
}

/** A connection over one socket; it ends with it. */
export class SocketConnection implements Connection {
  private readonly notifications = new Emitter<{ method: string; params: unknown }>();
  private readonly waiters = new Map<number, Waiter>();
  private nextId = 1;
  private ended = false;

  constructor(private readonly wire: Wire) {}

  request(method: string, params: unknown): Promise<unknown> {
    if (this.ended) return Promise.reject(lost());
    const id = this.nextId;
    this.nextId += 1;
    return new Promise((resolve, reject) => {
      this.waiters.set(id, { resolve, reject });
      this.write({ id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    if (!this.ended) this.write({ method, params });
  }

  onNotification(listener: (method: string, params: unknown) => void): Disposable {
    return this.notifications.on(({ method, params }) => listener(method, params));
  }

  /** A text arrived. What is no message is dropped. */
  receive(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (!isRecord(message)) return;
    if (typeof message.method === "string") this.receiveCall(message.method, message);
    else if (typeof message.id === "number") this.receiveAnswer(message.id, message);
  }

  /** The socket is gone: whatever was asked stays without an answer. */
  end(): void {
    this.ended = true;
    for (const waiter of this.waiters.values()) waiter.reject(lost());
    this.waiters.clear();
  }

  private receiveCall(method: string, message: Record<string, unknown>): void {
    if (message.id === undefined) this.notifications.fire({ method, params: message.params });
    // Nothing was announced that the server might ask of a plain browser.
    else
      this.write({
        id: message.id,
        error: { code: ErrorCode.METHOD_NOT_FOUND, message: `${method} is not offered here` },
      });
  }

  private receiveAnswer(id: number, message: Record<string, unknown>): void {
    const waiter = this.waiters.get(id);
    if (waiter === undefined) return;
    this.waiters.delete(id);
    if (isRecord(message.error)) waiter.reject(toFault(message.error));
    else waiter.resolve(message.result);
  }

  private write(message: Record<string, unknown>): void {
    this.wire.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }
}

function lost(): ServerFault {
  return new ServerFault(ErrorCode.INTERNAL_ERROR, "The connection to the server is lost.");
}
