// Keeps a connection to the playground's server, and comes back after a drop.
import type { Bridge } from "../common/bridge.js";
import { serverFault } from "../common/server.js";
import { type ClientHandshake, OPTION_KIND, PROTOCOL_VERSION } from "../protocol/generated.js";
import { SocketConnection } from "./rpc.js";

const PLACE_IS_TAKEN = 4409;
const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;
/** After so many tries in a row it is likely that another playground runs, with another token. */
const TRIES_BEFORE_ADVICE = 3;

/** Connects the bridge with the server behind this page's address. */
export class ServerLink {
  private wait = SHORTEST_WAIT_MS;
  private wasConnected = false;
  /** Tries in a row that came to nothing. */
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private socket: WebSocket | undefined;

  constructor(
    private readonly bridge: Bridge,
    private readonly address: string,
    private readonly token: string,
  ) {}

  /** Tries now, in place of what is under way. */
  connect(): void {
    clearTimeout(this.timer);
    this.socket?.close();
    if (!/^[\w-]+$/.test(this.token)) {
      this.bridge.setStatus(
        "failed",
        "This address lacks its token. Open the whole address that the playground printed.",
      );
      return;
    }
    this.bridge.setStatus(this.wasConnected ? "lost" : "starting", this.wasConnected ? this.lostText() : "Connecting…");
    const socket = new WebSocket(this.address, ["assent", `token.${this.token}`]);
    this.socket = socket;
    const connection = new SocketConnection(socket);
    let opened = false;
    socket.addEventListener("open", () => {
      opened = true;
      this.greet(connection).catch(() => socket.close());
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") connection.receive(data);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      connection.end();
      if (this.socket !== socket) return;
      this.dropped(opened, code, reason);
    });
  }

  private async greet(connection: SocketConnection): Promise<void> {
    const assent: ClientHandshake = {
      protocol: PROTOCOL_VERSION,
      capabilities: ["cards", "counts", "reveal", "details", "forms"],
      options: [...OPTION_KIND],
    };
    const params = { processId: null, rootUri: null, capabilities: {}, initializationOptions: { assent } };
    const fault = serverFault(await connection.request("initialize", params));
    if (fault !== undefined) {
      this.socket = undefined;
      this.bridge.setStatus("failed", fault, ["retry"]);
      return;
    }
    connection.notify("initialized", {});
    this.wait = SHORTEST_WAIT_MS;
    this.failures = 0;
    this.wasConnected = true;
    await this.bridge.connected(connection);
  }

  private dropped(opened: boolean, code: number, reason: string): void {
    if (code === PLACE_IS_TAKEN) {
      this.bridge.disconnected(
        "failed",
        "Another page is connected to this playground. Close it, then retry.",
        ["retry"],
        false,
      );
      return;
    }
    const refused = !opened && !this.wasConnected;
    this.failures += 1;
    const text = refused ? REFUSED : this.lostText(reason);
    this.bridge.disconnected(refused ? "failed" : "lost", text, ["retry"], false);
    if (refused) return;
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  private lostText(reason = ""): string {
    const advice = this.failures >= TRIES_BEFORE_ADVICE ? ` ${STARTED_AGAIN}` : "";
    return `${LOST}${reason ? ` (${reason})` : ""}${advice}`;
  }
}

const LOST = "Connection lost, retrying. Nothing runs that you have not approved.";
const STARTED_AGAIN = "If you started the playground again, open the address that it printed.";
const REFUSED =
  "The playground did not let this page in: it has ended, or its token is another one. Open the address that it printed last.";
