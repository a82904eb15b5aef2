// The page's frame. Everything that may be loaded is named; everything else is forbidden.

/** The HTML of the view. */
export function pageHtml(scriptAddress: string, nonce: string): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    // What the page itself puts together, of bytes that the server sent. Nothing has an address from where it is loaded.
    "img-src blob:",
    "media-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Assent</title>
    <style nonce="${nonce}">
      html,
      body {
        height: 100%;
        margin: 0;
        padding: 0;
        overflow: clip;
      }
    </style>
  </head>
  <body>
    <script nonce="${nonce}" src="${scriptAddress}"></script>
  </body>
</html>`;
}
