// The page's way out. The only place that knows how the editor hands it over.
import { type HostMessage, isHostMessage, type PageMessage } from "../common/page-messages.js";
import { toChips } from "./attaching.js";

/** The program around the page: the editor, or the playground's script. */
export interface PageHost {
  post(message: PageMessage): void;
  onMessage(listener: (message: HostMessage) => void): void;
  /** What outlives the page: the draft. */
  load(): PageMemory;
  save(memory: PageMemory): void;
  randomId(): string;
}

/** What the page remembers by itself; everything else comes from the server. */
export interface PageMemory {
  draft: string;
  /** The files that were named for the next message. */
  files: string[];
}

interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** The editor as host. May be called once in the life of a page. */
export function editorHost(): PageHost {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    onMessage: (listener) => {
      window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        if (isHostMessage(data)) listener(data);
      });
    },
    load: () => toMemory(api.getState()),
    save: (memory) => api.setState(memory),
    randomId: () => crypto.randomUUID(),
  };
}

/** Anything as a memory; what does not fit is forgotten. */
export function toMemory(value: unknown): PageMemory {
  const { draft, files } = (value ?? {}) as Partial<PageMemory>;
  return { draft: typeof draft === "string" ? draft : "", files: toChips(files).map(({ path }) => path) };
}
