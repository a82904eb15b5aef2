// Puts the page together: host, state and what draws it.
import type { PageHost } from "./host.js";
import { App } from "./ui/app.js";
import { beginColours } from "./ui/colours.js";

/** Draws the page into an element and tells the host that it is there. */
export function startPage(host: PageHost, into: HTMLElement): App {
  beginColours();
  const app = new App(host);
  into.append(app);
  host.onMessage((message) => app.receive(message));
  host.post({ type: "ready" });
  return app;
}
