// What a value from outside must look like. A check answers with the path of the first fault, or undefined.

export type Check = (value: unknown, path: string) => string | undefined;
export type Guard<T> = ((value: unknown) => value is T) & { fault(value: unknown): string | undefined };

interface OptionalCheck {
  optional: Check;
}

export const any: Check = () => undefined;
export const string: Check = (value, path) => (typeof value === "string" ? undefined : path);
export const boolean: Check = (value, path) => (typeof value === "boolean" ? undefined : path);
export const number: Check = (value, path) => (typeof value === "number" ? undefined : path);
export const integer: Check = (value, path) => (Number.isInteger(value) ? undefined : path);

export function word(words: readonly string[]): Check {
  return (value, path) => (typeof value === "string" && words.includes(value) ? undefined : path);
}

export function nullable(inner: Check): Check {
  return (value, path) => (value === null ? undefined : inner(value, path));
}

export function optional(inner: Check): OptionalCheck {
  return { optional: inner };
}

/** What may be missing, and may be null. */
export function maybe(inner: Check): OptionalCheck {
  return optional(nullable(inner));
}

export function array(inner: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return path;
    for (let index = 0; index < value.length; index += 1) {
      const fault = inner(value[index], `${path}[${index}]`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

export function record(inner: Check): Check {
  return (value, path) => {
    if (!isRecord(value)) return path;
    for (const [key, item] of Object.entries(value)) {
      const fault = inner(item, `${path}.${key}`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

export function object(shape: Readonly<Record<string, Check | OptionalCheck>>): Check {
  const fields = Object.entries(shape);
  return (value, path) => {
    if (!isRecord(value)) return path;
    for (const [name, check] of fields) {
      const item = Object.hasOwn(value, name) ? value[name] : undefined;
      const inner = typeof check === "function" ? check : check.optional;
      if (item === undefined && typeof check !== "function") continue;
      const fault = item === undefined ? `${path}.${name}` : inner(item, `${path}.${name}`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

export function tagged(tag: string, members: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    if (!isRecord(value)) return path;
    const name = Object.hasOwn(value, tag) ? value[tag] : undefined;
    if (typeof name !== "string" || !Object.hasOwn(members, name)) return `${path}.${tag}`;
    return members[name]?.(value, path);
  };
}

export function guard<T>(check: Check): Guard<T> {
  const is = (value: unknown): value is T => check(value, "") === undefined;
  return Object.assign(is, { fault: (value: unknown) => check(value, "") });
}

/** A guard as a part of a larger check. */
export function fits(inner: Guard<unknown>): Check {
  return (value, path) => {
    const fault = inner.fault(value);
    return fault === undefined ? undefined : path + fault;
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
