// Ends and events, as small as they can be, and free of the editor's types.

/** Something that can be ended, once or more. */
export interface Disposable {
  dispose(): void;
}

export type Listener<T> = (value: T) => void;

/** Tells its listeners, in the order in which they came. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<Listener<T>>();

  on(listener: Listener<T>): Disposable {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}

/** Ends several things together, the last one first. */
export class Disposables implements Disposable {
  private readonly items: Disposable[] = [];

  add<T extends Disposable>(item: T): T {
    this.items.push(item);
    return item;
  }

  dispose(): void {
    while (this.items.length > 0) this.items.pop()?.dispose();
  }
}
