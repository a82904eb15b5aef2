// What a view of differences does not show where it leaves out blanks at the beginning and the end of lines.

/** Whether a line may be another one by nothing but such blanks, so that nobody would see that it changes. */
export function changesBlanks(before: string, after: string): boolean {
  const [then, now] = [variants(before), variants(after)];
  return [...now].some(([line, written]) => {
    const known = then.get(line);
    return known !== undefined && !isWithin(known, written) && !isWithin(written, known);
  });
}

/** For each line without its outer blanks, how it is written, in order. Of lines of blanks alone nothing is to be seen. */
function variants(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    const bare = line.trim();
    if (bare === "") continue;
    const written = found.get(bare);
    if (written) written.push(line);
    else found.set(bare, [line]);
  }
  return found;
}

/** Whether these are among those, in their order: then lines were only added or taken out, which is shown. */
function isWithin(some: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const one of all) if (one === some[at]) at++;
  return at === some.length;
}
