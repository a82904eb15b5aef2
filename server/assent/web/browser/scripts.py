"""What is asked of a page, in a world of its own where the page's own scripts reach nothing.

`held` keeps elements between two questions; it is gone with the page, and with it every number that was given out.
"""

WORLD = "assent"
TAKEN_AWAY = """
for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) delete globalThis[name];
"""
"""Said to the page itself, before its own scripts: what would send packets that are no requests is not there."""
BEGIN = """
globalThis.held ??= [];
globalThis.clip = (text, most) => {
  const plain = String(text ?? "").replace(/\\s+/g, " ").trim();
  return plain.length > most ? plain.slice(0, most) + "…" : plain;
};
globalThis.isSeen = (one) => {
  const box = one.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && getComputedStyle(one).visibility === "visible";
};
const got = (kind, name) => Object.getOwnPropertyDescriptor(kind.prototype, name).get;
const [base, parent, slot] = [got(Node, "baseURI"), got(Node, "parentNode"), got(Element, "assignedSlot")];
globalThis.whole = (address, part) => {
  try { return String(new URL(address, base.call(part))); } catch { return String(address); }
};
globalThis.own = (part, name, space = null) => Element.prototype.getAttributeNS.call(part, space, name);
// What a click on a part does is often said by something around it, as it is drawn.
globalThis.around = (one, fits) => {
  const next = (at) => at instanceof ShadowRoot ? at.host : (at instanceof Element && slot.call(at)) || parent.call(at);
  for (let at = one; at; at = next(at)) if (at instanceof Element && fits(at)) return at;
  return null;
};
globalThis.address = (part) => ["a", "area"].includes(part.localName)
  ? own(part, "href") ?? own(part, "href", "http://www.w3.org/1999/xlink") : null;
globalThis.leadsTo = (one) => {
  const link = around(one, (part) => address(part) !== null);
  return link ? clip(whole(address(link), link), 2000) : "";
};
globalThis.sendsTo = (one) => {
  const sends = (part) => Boolean(part?.form) && ["submit", "image"].includes(part.type);
  const label = around(one, (part) => part instanceof HTMLLabelElement && sends(part.control));
  const button = around(one, sends) ?? label?.control;
  if (!button) return "";
  const named = own(button, "formaction") ?? own(button.form, "action");
  return clip(named ? whole(named, button) : location.href, 2000);
};
globalThis.describe = (one) => {
  const labels = one.labels ? [...one.labels].map((label) => label.innerText).join(" ") : "";
  const words = one.getAttribute("aria-label") || labels || one.placeholder || (one.innerText ?? one.textContent)
    || one.title || one.alt || (one.type === "submit" || one.type === "button" ? one.value : "") || one.name || "";
  return {
    tag: one.tagName.toLowerCase(),
    type: clip(one.type ?? "", 20),
    words: clip(words, 120),
    leads: leadsTo(one),
    sends: sendsTo(one),
  };
};
globalThis.hold = (one) => {
  const at = held.indexOf(one);
  return at >= 0 ? at : held.push(one) - 1;
};
true;
"""
READ = """(() => {
  const found = [];
  const wanted = "a[href],a[*|href],button,input:not([type=hidden]),select,textarea,summary,[role=button],"
    + "[contenteditable]";
  for (const one of Document.prototype.querySelectorAll.call(document, wanted)) {
    if (found.length >= 200) break;
    if (isSeen(one)) found.push({ at: hold(one), ...describe(one) });
  }
  return { title: clip(document.title, 300), text: (document.body?.innerText ?? "").slice(0, 500000), found };
})()"""
ONE = """((selector) => {
  let all;
  try { all = Document.prototype.querySelectorAll.call(document, selector); } catch { return { count: -1 }; }
  const seen = [...all].filter(isSeen);
  return seen.length === 1 ? { count: 1, at: hold(seen[0]), ...describe(seen[0]) } : { count: seen.length };
})(%s)"""
HELD = "((at) => held[at] && held[at].isConnected && isSeen(held[at]) ? { at, ...describe(held[at]) } : null)(%s)"
POINT = """((at) => {
  const one = held[at];
  one.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = one.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  const top = Document.prototype.elementFromPoint.call(document, x, y);
  const label = top && one.labels && [...one.labels].some((label) => label.contains(top));
  let hit = top;
  for (let inner; (inner = hit?.shadowRoot?.elementFromPoint(x, y)) && inner !== hit;) hit = inner;
  const way = [leadsTo, sendsTo].find((leads) => leads(hit) !== leads(one));
  const other = way ? way(hit) || "nowhere" : "";
  return { x, y, free: Boolean(top && (one.contains(top) || label)), other };
})(%s)"""
EMPTY = """((at) => {
  const one = held[at];
  if (!("value" in one) && !one.isContentEditable || one.disabled || one.readOnly) return false;
  if (["checkbox", "radio", "file", "submit", "button", "image", "range", "color"].includes(one.type)) return false;
  one.focus();
  if (one.tagName === "SELECT") return document.activeElement === one;
  if ("select" in one) one.select(); else getSelection().selectAllChildren(one);
  return document.activeElement === one;
})(%s)"""
CHOOSE = """((at, words) => {
  const one = held[at];
  const option = [...one.options].find((each) => clip(each.text, 500) === words || each.value === words);
  if (!option || option.disabled) return false;
  one.value = option.value;
  one.dispatchEvent(new Event("input", { bubbles: true }));
  one.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
})(%s, %s)"""
