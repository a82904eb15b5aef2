// Which addresses a message may lead to.

const SCHEMES = new Set(["https:", "http:", "mailto:"]);

/** Whether this is a plain web or mail address; never a command, a file, a script or something relative. */
export function isWebLink(url: string): boolean {
  try {
    return SCHEMES.has(new URL(url).protocol);
  } catch {
    return false;
  }
}
