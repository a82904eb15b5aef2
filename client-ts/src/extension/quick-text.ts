/** A text for a list of the editor, which would draw `$(name)` as a picture. */
export function withoutIcons(text: string): string {
  return text.replaceAll("$(", "\\$(");
}
