import { Transform } from "node:stream";

const END = "</body></html>";

/**
 * Starts the scripts of a page after its first paint, or at once where nobody is looking. It undoes what `hold` did, so
 * that React finds the document that it rendered.
 */
const START = `{
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
 * Mends the document that React and Remix have rendered, where neither has a place to say so:
 * - React 18 puts a NUL before a character of several bytes that falls on the border of two of its buffers
 *   (https://github.com/facebook/react/issues/24985); no page of ours has one of its own.
 * - The document ends before Remix' data for scripts, which browsers put up with, but HTML does not allow.
 * - Scripts, which only make a page nicer, would be fetched and run before what there is to be seen of it
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
      done(null, hold(page, nonce) + END);
    },
  });
}

/** Keeps the scripts from being fetched and run until `START` says so. A page that has none is left as it is. */
function hold(page: string, nonce: string): string {
  const entry = `<script nonce="${nonce}" type="module" async="">`;
  if (!page.includes(entry)) return page;
  const held = page
    .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" media="not all"')
    .replace(entry, `<script nonce="${nonce}" type="text/plain">`);
  return `${held}<script nonce="${nonce}">${START}</script>`;
}
