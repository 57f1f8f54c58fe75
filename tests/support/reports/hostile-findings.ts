import type { CheckedPage } from "~/scan/types";
import { checkedPage, element, finding } from "../database/page-results";

/** Attacks in page content; reports must show each as harmless text. */
export const HOSTILE_TEXTS = [
  `</script><script>alert("executed")</script>`,
  `"><img src=x onerror=alert(1)>`,
  `</style><style>@import "http://127.0.0.1:1/leak"; body { display: none }</style>`,
  `=cmd|'/c calc'!A0`,
  `@SUM(1+1)*cmd|'/c calc'!A0`,
  `x;=1+1\n+2+2\t-3+3`,
  `\u202Egnihsihp\u202C \u2066isolated`,
  `broken \uD800 surrogate \uDC00`,
  `\u0000\u001b]0;owned\u0007`,
  `{{count}} \${1+1} <%= 1 %>`,
  `x`.repeat(1_000_000),
] as const;

/** Page with all attacks in its title, selectors, source and messages, and further ones in its address and language. */
export function hostilePage(url = "https://shop.example/evil"): CheckedPage {
  const elements = HOSTILE_TEXTS.map((text) =>
    element({
      target: [text, [text, "#shadow"]],
      html: `<a title="${text}">`,
      checks: [{ group: "any", id: "has-alt", data: { text, nested: [text] }, message: text }],
    }),
  );
  const broken = finding("image-alt", { impact: "critical", elementCount: elements.length, elements });
  return checkedPage({
    url,
    finalUrl: `${url}?q=${encodeURIComponent("=1+1</script>")}`,
    title: HOSTILE_TEXTS.join(" "),
    lang: `de"><script>`,
    gaps: {
      frames: ["javascript:alert(1)", `https://ads.example/"><script>`],
      ...{ closedShadowRoots: 1, resources: 1, concealed: false, unfinished: true, late: ["moving"], missing: null },
    },
    walk: {
      stops: HOSTILE_TEXTS.map((text, index) => ({ name: text, role: text, box: index === 0 ? null : { x: -5, y: NaN, width: Infinity, height: 1e9 } })),
      count: 1e9,
      isWhole: false,
      picture: { image: Buffer.from("no picture"), width: 1e9, height: 900 },
    },
    findings: {
      violations: [broken],
      incomplete: [finding("label", { impact: "serious", elementCount: elements.length, elements })],
      passes: [],
      inapplicable: [],
    },
  });
}
