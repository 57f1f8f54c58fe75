import { pageWith } from "../site";
import { checked, script, scripted, type HostilePages } from "./kinds";

/** Content that is long enough for an event during the analysis. */
const LONG = `<div>${"<a href='#'>link</a> <span style='color:#777'>text</span> ".repeat(300)}</div>`;

const during = (code: string, expected = {}) => ({
  page: pageWith(LONG + script(code)),
  outcome: checked({ partial: true, ...expected }),
});

/** Pages that change their content or their address. */
export const moving: HostilePages = {
  "windows without end": scripted(
    "setInterval(() => { for (let i = 0; i < 20; i++) { const other = window.open('about:blank', '_blank'); other?.document.write('x') } }, 5)"
  ),
  "dialogs without end": scripted("setInterval(() => { alert(1); confirm(2); prompt(3) }, 1)", { gaps: {} }),
  "a dialog when it is left, and printing": scripted(
    "onbeforeunload = (event) => { event.preventDefault(); return 'stay' }; onload = () => { print(); setInterval(() => location.reload(), 1e6) }"
  ),
  "a document written anew after load": {
    page: pageWith(
      script(
        "onload = () => setTimeout(() => { document.write('<title>New</title><h1>New</h1><img id=new src=\"data:,\">') }, 50)"
      )
    ),
    outcome: checked({ violations: ["image-alt #new"], gaps: {} }),
  },
  "a document opened during the analysis": during(
    "setTimeout(() => { document.open(); document.write('<title>New</title><img id=new src=\"data:,\">'); document.close() }, 500)",
    { violations: [], gaps: {} }
  ),
  "a document that changes without rest": {
    page: pageWith(
      script(
        "setInterval(() => { for (let i = 0; i < 50; i++) { const p = document.createElement('p'); p.textContent = i; document.body.append(p) } while (document.body.children.length > 200) document.body.lastChild.remove() }, 1)"
      )
    ),
    outcome: checked({ gaps: {} }),
  },
  "going away in the middle of the analysis, again and again": {
    page: pageWith(
      LONG + script("setTimeout(() => location.replace(`${location.pathname}?${Math.random()}`), 450)")
    ),
    // If the analysis is faster than the page, it succeeds.
    outcome: checked({ gaps: {}, orElse: ["redirect_loop"] }),
  },
  "a meta refresh to itself": {
    page: pageWith("", `<meta http-equiv="refresh" content="0">`),
    outcome: ["redirect_loop"],
  },
  "reloading without end": { page: pageWith("", script("location.reload()")), outcome: ["redirect_loop"] },
  "a history that is flooded": scripted(
    "let n = 0; setInterval(() => { for (let i = 0; i < 100; i++) history.pushState({}, '', `?${n++}`) }, 5)",
    { gaps: { frames: [] }, partial: true, orElse: ["timeout"] }
  ),
  "fragments without end": scripted("let n = 0; setInterval(() => { location.hash = n++ }, 1)"),
  "going to a blob": {
    page: pageWith(
      script(
        "location.href = URL.createObjectURL(new Blob(['<title>Blob</title><p>Blob'], { type: 'text/html' }))"
      )
    ),
    outcome: checked({ violations: [], orElse: ["blocked_address", "invalid_url"], gaps: {} }),
  },
  "going to data and script addresses": {
    page: pageWith(
      script(
        "location.href = 'data:text/html,<h1>data</h1>'; setTimeout(() => { location.href = 'javascript:\"<title>JS</title><img id=js src=data:,>\"' }, 50)"
      )
    ),
    outcome: checked({ violations: [], gaps: {} }),
  },
  "links to other programs, clicked without end": scripted(
    "onload = () => setInterval(() => { for (const scheme of ['mailto:', 'tel:', 'ms-word:', 'itms:', 'steam:']) { const a = document.createElement('a'); a.href = scheme + 'x'; a.click() } }, 20)",
    { gaps: {} }
  ),
  "downloads without end": {
    page: pageWith(
      script(
        "onload = () => setInterval(() => { const a = document.createElement('a'); a.href = 'file'; a.download = 'x'; a.click(); location.href = `file?${Math.random()}` }, 50)"
      )
    ),
    parts: { "/file": { headers: { "content-disposition": "attachment" }, body: "x".repeat(100_000) } },
    outcome: checked({ gaps: {} }),
  },
  "forms that send themselves without end": {
    page: pageWith(
      `<form method="post" action="none"><input type="hidden" name="x"></form>${script(
        "setInterval(() => document.forms[0].submit(), 20)"
      )}`
    ),
    parts: { "/none": { status: 204 } },
    outcome: checked({ gaps: {}, orElse: ["empty"] }),
  },
  "a service worker that answers everything": {
    page: pageWith(
      script(
        "navigator.serviceWorker.register('worker', { scope: './' }).then(() => navigator.serviceWorker.ready).then(() => { if (!navigator.serviceWorker.controller) setTimeout(() => location.reload(), 100) })"
      )
    ),
    parts: {
      "/worker": {
        headers: { "content-type": "text/javascript", "service-worker-allowed": "/" },
        body:
          "oninstall = () => skipWaiting(); onactivate = (event) => event.waitUntil(clients.claim());" +
          "onfetch = (event) => event.respondWith(new Response('<!doctype html><html lang=en><title>Worker</title><h1>Worker</h1><img id=bare src=\"data:,\">', { headers: { 'content-type': 'text/html' } }))",
      },
    },
    outcome: checked({ gaps: {} }),
  },
  "frames that go away during the analysis": {
    page: pageWith(
      `<iframe id="going" title="Going" srcdoc="<p>In"></iframe>${LONG}${script(
        "setInterval(() => { going.remove(); document.body.append(going) }, 30)"
      )}`
    ),
    outcome: checked({ partial: true, gaps: {} }),
  },
};
