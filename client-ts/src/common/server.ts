// The server as the client sees it: typed by the generated method tables, with everything that arrives checked.
import { isRecord } from "../protocol/check.js";
import {
  type ClientRequests,
  clientResultGuards,
  ErrorCode,
  isServerHandshake,
  PROTOCOL_VERSION,
  type ServerNotifications,
  serverNotificationGuards,
} from "../protocol/generated.js";
import { type Disposable, Disposables, Emitter } from "./emitter.js";

/** A JSON-RPC connection, whatever carries it. A refused request rejects with an error that has a number `code`. */
export interface Connection {
  request(method: string, params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): void;
  onNotification(listener: (method: string, params: unknown) => void): Disposable;
}

/** Why a request did not succeed. */
export class ServerFault extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

type Method = keyof ClientRequests;
type Notification = keyof ServerNotifications;
type ViewMethod = "view/attached" | "view/detached" | "view/activity";

/** A message of the server that does not fit its type: it is dropped, and said so. */
export interface Malformed {
  method: string;
  path: string;
}

/** Requests, and the server's notifications as events of their own. */
export class Server implements Disposable {
  readonly events = new Emitter<ServerNotifications["agent/event"]>();
  readonly approvals = new Emitter<ServerNotifications["tool/approvalRequest"]>();
  readonly endings = new Emitter<ServerNotifications["tool/approvalResolved"]>();
  readonly restorations = new Emitter<ServerNotifications["session/restored"]>();
  readonly listChanges = new Emitter<ServerNotifications["session/listChanged"]>();
  readonly consents = new Emitter<ServerNotifications["settings/consentRequest"]>();
  readonly consentEndings = new Emitter<ServerNotifications["settings/consentResolved"]>();
  readonly forms = new Emitter<ServerNotifications["form/request"]>();
  readonly formEndings = new Emitter<ServerNotifications["form/ended"]>();
  readonly malformed = new Emitter<Malformed>();
  private readonly notified: { [N in Notification]: Emitter<ServerNotifications[N]> } = {
    "agent/event": this.events,
    "tool/approvalRequest": this.approvals,
    "tool/approvalResolved": this.endings,
    "session/restored": this.restorations,
    "session/listChanged": this.listChanges,
    "settings/consentRequest": this.consents,
    "settings/consentResolved": this.consentEndings,
    "form/request": this.forms,
    "form/ended": this.formEndings,
  };
  private readonly owned = new Disposables();

  constructor(private readonly connection: Connection) {
    this.owned.add(connection.onNotification((method, params) => this.receive(method, params)));
  }

  async request<M extends Method>(
    method: M,
    params: ClientRequests[M]["params"],
  ): Promise<ClientRequests[M]["result"]> {
    let result: unknown;
    try {
      result = await this.connection.request(method, params);
    } catch (error) {
      throw toFault(error);
    }
    const path = clientResultGuards[method].fault(result);
    if (path === undefined) return result as ClientRequests[M]["result"];
    this.malformed.fire({ method, path });
    throw new ServerFault(
      ErrorCode.INTERNAL_ERROR,
      `The server's answer to ${method} is not understood (at "${path}").`,
    );
  }

  notify(method: ViewMethod, params: ClientRequests[ViewMethod]["params"]): void {
    this.connection.notify(method, params);
  }

  dispose(): void {
    this.owned.dispose();
  }

  private receive(method: string, params: unknown): void {
    if (!isKnown(method)) return;
    const path = serverNotificationGuards[method].fault(params);
    if (path === undefined) (this.notified[method] as Emitter<unknown>).fire(params);
    else this.malformed.fire({ method, path });
  }
}

/** Why this server cannot be talked to, from what it answered to `initialize`; undefined where it can. */
export function serverFault(initializeResult: unknown): string | undefined {
  const found = [initializeResult, "capabilities", "experimental", "assent"].reduce((value, key) =>
    isRecord(value) ? value[key as string] : undefined,
  );
  if (!isServerHandshake(found)) return "The program that answers is no server of Assent.";
  if (found.version === PROTOCOL_VERSION) return undefined;
  return `The server (${found.serverVersion}) speaks version ${found.version} of the protocol, and this client version ${PROTOCOL_VERSION}. Update the older one.`;
}

/** An error of any carrier as a ServerFault. */
export function toFault(error: unknown): ServerFault {
  if (error instanceof ServerFault) return error;
  const { code, message, data } = (typeof error === "object" && error !== null ? error : {}) as Partial<ServerFault>;
  const text = typeof message === "string" && message !== "" ? message : String(error);
  return new ServerFault(typeof code === "number" ? code : ErrorCode.INTERNAL_ERROR, text, data);
}

export const NOTIFICATIONS = Object.keys(serverNotificationGuards) as Notification[];

function isKnown(method: string): method is Notification {
  return Object.hasOwn(serverNotificationGuards, method);
}
