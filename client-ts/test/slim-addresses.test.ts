// What stands in for a dependency in the page's bundle spells addresses as that does.
import { decode, encode } from "mdurl";
import { describe, expect, test } from "vitest";
import * as slim from "../slim/mdurl.mjs";

const ADDRESSES = [
  "https://example.org/a b?c=d&e=f#g",
  "https://example.org/ä/😀/%C3%A4",
  "https://example.org/%zz/%/%4",
  "https://example.org/100%25/%2525",
  "mailto:a+b@example.org",
  `https://example.org/${"!'()*-._~;,/?:@&=+$[]{}|^<>\\`\""}`,
  "https://example.org/\uD83D/\uDE00",
  "",
];

describe.each(ADDRESSES)("%j", (address) => {
  test("is encoded alike", () => expect(slim.encode(address)).toBe(encode(address)));

  test("is decoded alike", () => {
    const encoded = encode(address);
    expect(slim.decode(encoded)).toBe(decode(encoded, `${decode.defaultChars}%`));
  });
});

test("what is no UTF-8 stays as it was written", () => expect(slim.decode("%C3%28%F0")).toBe("%C3%28%F0"));
