import { pageWith } from "../site";
import { checked, script, scripted, type HostilePages } from "./kinds";

const FOREVER = "for (;;);";
const stopped = { gaps: { unfinished: true } };

/** Scripts and styles that never end. */
export const loops: HostilePages = {
  "a loop while the page loads": scripted(FOREVER, stopped),
  "a loop, and another document after it": {
    page: pageWith(script(`setTimeout(() => { ${FOREVER} }, 10)`), `<meta http-equiv="refresh" content="1; url=next">`),
    parts: { "/next": pageWith(script("document.body.append('Made by a script')")) },
    outcome: checked(stopped),
  },
  "a loop in a timer": scripted(`setTimeout(() => { ${FOREVER} }, 100)`, stopped),
  "a loop in every timer": scripted(`setInterval(() => { ${FOREVER} }, 10)`, stopped),
  "a loop of promises": scripted("(function again() { Promise.resolve().then(again) })()", stopped),
  "a loop of messages": scripted(
    "onmessage = () => postMessage(0, '*'); for (let i = 0; i < 100; i++) postMessage(0, '*')"
  ),
  "a loop when the document changes": scripted(
    `new MutationObserver(() => { ${FOREVER} }).observe(document, { subtree: true, childList: true, attributes: true });` +
      "setTimeout(() => document.body.append('changed'), 300)",
    stopped
  ),
  "a loop when a box changes": scripted(
    `onload = () => new ResizeObserver(() => { ${FOREVER} }).observe(document.body)`,
    stopped
  ),
  "a loop in every frame that is drawn": scripted(
    "requestAnimationFrame(function draw() { const end = Date.now() + 200; while (Date.now() < end); requestAnimationFrame(draw) })"
  ),
  "loops in workers": scripted(
    `const url = URL.createObjectURL(new Blob(['${FOREVER}'])); for (let i = 0; i < 4; i++) new Worker(url)`,
    { gaps: { frames: [] } }
  ),
  "a loop in a shared worker": scripted(
    `new SharedWorker('data:text/javascript,${FOREVER}'); new SharedWorker('data:text/javascript,/*2*/${FOREVER}')`,
    { gaps: { frames: [] } }
  ),
  "a loop in a frame of the site": {
    page: pageWith(`<iframe title="Loop" src="loop"></iframe>`),
    parts: { "/loop": pageWith("", script(`onload = () => setTimeout(() => { ${FOREVER} })`)) },
    outcome: checked(stopped),
  },
  "a loop in a frame of another site": {
    page: pageWith(
      `<iframe id="far" title="Loop"></iframe>${script(
        "far.src = `http://localhost:${location.port}${location.pathname}loop`"
      )}`
    ),
    parts: { "/loop": pageWith("", script(`onload = () => setTimeout(() => { ${FOREVER} })`)) },
    outcome: checked({ gaps: {} }),
  },
  "a regular expression without end": scripted(
    "setTimeout(() => /^(a+)+$/.test('a'.repeat(50) + '!'), 100)",
    stopped
  ),
  "a synchronous request that is never answered": {
    page: pageWith(
      "",
      script(
        "setTimeout(() => { const r = new XMLHttpRequest(); r.open('GET', 'never', false); r.send() }, 100)"
      )
    ),
    parts: { "/never": () => {} },
    outcome: checked({ gaps: { unfinished: true }, orElse: ["timeout"] }),
  },
  "a statement that waits for a debugger": scripted("setInterval(() => { debugger }, 10); debugger"),
  "errors without end": scripted(
    "setInterval(() => { for (let i = 0; i < 500; i++) Promise.reject(new Error('x'.repeat(1000))); throw new Error('storm') }, 5)"
  ),
  "a console that is flooded": scripted(
    "setInterval(() => { for (let i = 0; i < 2000; i++) console.log('x'.repeat(1000), { i }) }, 5)",
    { orElse: ["timeout"] }
  ),
  "a style that takes for ever": {
    page: pageWith(
      `<div id="bomb">${"<div><p><span></span></p></div>".repeat(3_000)}</div>`,
      `<style>${Array.from(
        { length: 300 },
        (_, i) =>
          `:has(div ~ div p:nth-child(${
            i + 1
          }n+1) ~ :has(span)) div:not(:has(b${i})):nth-last-of-type(2n+${i}) ~ div:has(~ div) span`
      ).join(",")} { color: red }</style>`
    ),
    outcome: checked({ orElse: ["timeout"], partial: true, gaps: {} }),
  },
  "a layout that takes for ever": {
    page: pageWith(
      `${"<div style='display:flex;flex-wrap:wrap;writing-mode:vertical-rl'><div style='display:grid;grid-template-columns:min-content auto;writing-mode:horizontal-tb'>".repeat(
        60
      )}x${"</div></div>".repeat(60)}`
    ),
    outcome: checked({ orElse: ["timeout"], partial: true, gaps: {} }),
  },
};
