// The browser knows how to spell addresses: the same characters stay as they are, and what is no UTF-8 stays as written.
export { default as format } from "../node_modules/mdurl/lib/format.mjs";
export { default as parse } from "../node_modules/mdurl/lib/parse.mjs";

export function encode(text) {
  return text.toWellFormed().replace(/%(?![0-9a-f]{2})|[^%]+/gi, encodeURI);
}

export function decode(text) {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURI(run.replace(/%25/g, "%2525"));
    } catch {
      return run;
    }
  });
}
