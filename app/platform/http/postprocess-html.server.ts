import { Transform } from "node:stream";

const END = "</body></html>";

/**
 * Script that starts the scripts of a page after its first paint, or at once in a hidden tab. It reverts the changes of
 * `deferScripts`, so that React finds the document that it rendered.
 */
const START_SCRIPTS = `{
  const start = () => {
    for (const link of document.querySelectorAll("link[rel=modulepreload]")) link.removeAttribute("media");
    const held = document.querySelector('script[type="text/plain"]');
    const script = Object.assign(document.createElement("script"), { type: "module", nonce: held.nonce, text: held.text });
    held.replaceWith(script);
  };
  const afterPaint = () => (document.hidden ? start() : requestAnimationFrame(() => setTimeout(start)));
  addEventListener("DOMContentLoaded", afterPaint);
}`.replaceAll(/\s*\n\s*/g, "");

/**
 * Repairs the document of React and Remix, where neither has an option for it:
 * - React 18 inserts a NUL before a multi-byte character at the border of two of its buffers
 *   (https://github.com/facebook/react/issues/24985); our pages contain no NUL themselves.
 * - Remix puts its data for scripts after the end of the document: browsers tolerate it, but HTML does not allow it.
 * - Browsers would fetch and run the scripts, which are optional for a page, before its visible content
 *   (`tests/bench/lighthouse.ts`).
 */
export function postprocessHtml(nonce: string): Transform {
  const chunks: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
    flush(done) {
      const page = Buffer.concat(chunks).toString().replaceAll("\0", "").split(END).join("");
      done(null, deferScripts(page, nonce) + END);
    },
  });
}

/** Delays loading and running of scripts until `START_SCRIPTS` runs. A page without scripts stays unchanged. */
function deferScripts(page: string, nonce: string): string {
  const entry = `<script nonce="${nonce}" type="module" async="">`;
  if (!page.includes(entry)) return page;
  const held = page
    .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" media="not all"')
    .replace(entry, `<script nonce="${nonce}" type="text/plain">`);
  return `${held}<script nonce="${nonce}">${START_SCRIPTS}</script>`;
}
