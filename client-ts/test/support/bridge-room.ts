// A bridge with a page that records, and time in the test's hands.
import { Bridge, type BridgeHost, type PagePort } from "../../src/common/bridge.js";
import type { ComparedAs, ComparedFile } from "../../src/common/changes.js";
import { Emitter } from "../../src/common/emitter.js";
import { type HostMessage, type HostRequest, isHostMessage, type PageMessage } from "../../src/common/page-messages.js";
import { Peer } from "./peer.js";

type Of<T extends HostMessage["type"]> = Extract<HostMessage, { type: T }>;

export class RecordingPage implements PagePort {
  readonly received: HostMessage[] = [];
  private readonly says = new Emitter<unknown>();

  post(message: HostMessage): void {
    const fault = isHostMessage.fault(message);
    if (fault !== undefined) throw new Error(`the host said something that does not fit: ${message.type}${fault}`);
    this.received.push(structuredClone(message));
  }

  onMessage(listener: (message: unknown) => void) {
    return this.says.on(listener);
  }

  say(message: PageMessage): void {
    this.says.fire(message);
  }

  sayAnything(message: unknown): void {
    this.says.fire(message);
  }

  of<T extends HostMessage["type"]>(type: T): Of<T>[] {
    return this.received.filter((message): message is Of<T> => message.type === type);
  }
}

export class Room {
  readonly requests: HostRequest[] = [];
  readonly logged: string[] = [];
  readonly page = new RecordingPage();
  readonly bridge: Bridge;
  /** The editor does not show all that changes. */
  leavesOut = false;
  readonly compared: [as: ComparedAs, files: ComparedFile[]][] = [];
  cannotCompare = false;
  readonly shown: [title: string, text: string][] = [];
  readonly copied: string[] = [];
  clipboardRefuses = false;
  picked: string[] = [];
  private readonly alarms = new Set<() => void>();

  constructor() {
    let id = 0;
    const host: BridgeHost = {
      kind: "editor",
      answersKeys: () => true,
      randomId: () => {
        id += 1;
        return `id-${id}`;
      },
      after: (_milliseconds, action) => {
        this.alarms.add(action);
        return { dispose: () => this.alarms.delete(action) };
      },
      perform: (request) => void this.requests.push(request),
      compare: async (files, as) => {
        if (this.cannotCompare) throw new Error("the editor cannot show it");
        this.compared.push([as, files]);
        return { hides: files.some(({ after }) => after.includes("\u202e")), leavesOut: this.leavesOut };
      },
      showText: (title, text) => void this.shown.push([title, text]),
      copy: async (text) => {
        if (this.clipboardRefuses) throw new Error("refused");
        this.copied.push(text);
      },
      pickFiles: async () => this.picked,
      log: (_level, text) => void this.logged.push(text),
    };
    this.bridge = new Bridge(host);
  }

  /** Whatever was set to happen later happens now. */
  timePasses(): void {
    for (const alarm of [...this.alarms]) {
      this.alarms.delete(alarm);
      alarm();
    }
  }
}

/** A room whose page is ready, with a server that has told all that it has to say. */
export async function connected(peer = new Peer()): Promise<{ room: Room; peer: Peer }> {
  const room = new Room();
  room.bridge.attach(room.page);
  room.page.say({ type: "ready" });
  await room.bridge.connected(peer);
  await settled();
  return { room, peer };
}

/** Lets everything that is already under way come to its end: nothing here waits for anything but promises. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
