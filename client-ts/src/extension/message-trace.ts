// What the log tells of the messages between editor and server: that there were some, never what they hold.

interface Traces {
  trace(message: string, ...rest: unknown[]): void;
}

/** The same log, to which a message is traced without its body, whatever the user's settings ask for. */
export function withoutBodies<T extends Traces>(log: T): T {
  return new Proxy(log, {
    get(target, key) {
      if (key === "trace") return (message: string) => target.trace(headline(message));
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The line that names the message. One that is traced as an object has none. */
export function headline(message: string): string {
  const [line = ""] = message.split(/[\r\n]/, 1);
  return line.trimStart().startsWith("{") ? "A message (not shown: it may hold secrets)" : line;
}
