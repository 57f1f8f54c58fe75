import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { postprocessHtml } from "~/platform/http/postprocess-html.server";

const finish = (...parts: string[]) => text(Readable.from(parts.map((part) => Buffer.from(part))).pipe(postprocessHtml("n0nce")));

const ENTRY = '<script nonce="n0nce" type="module" async="">import "/assets/entry.js";</script>';

it("removes the NUL that React inserts between its buffers", async () => {
  expect(await finish("<html><body>Größ", "\0e", "</body></html>")).toBe("<html><body>Größe</body></html>");
});

it("keeps a character that arrives in two parts", async () => {
  const [first, second] = [Buffer.from("ü").subarray(0, 1), Buffer.from("ü").subarray(1)];
  expect(await text(Readable.from([first, second]).pipe(postprocessHtml("n0nce")))).toBe("ü</body></html>");
});

it("moves the end of the document after all content", async () => {
  expect(await finish("<html><body>page</body></html>", "<script>data</script>")).toBe(
    "<html><body>page<script>data</script></body></html>",
  );
});

it("delays scripts until the page is painted", async () => {
  const page = await finish(`<html><body><link rel="modulepreload" href="/assets/a.js"/>${ENTRY}</body></html>`);
  expect(page).toContain('<link rel="modulepreload" media="not all" href="/assets/a.js"/>');
  expect(page).toContain('<script nonce="n0nce" type="text/plain">import "/assets/entry.js";</script>');
  expect(page).toMatch(/<script nonce="n0nce">\{const start = .*requestAnimationFrame.*\}<\/script><\/body><\/html>$/);
  expect(page).not.toContain("async");
});

it("adds no script to a page without scripts", async () => {
  expect(await finish("<html><body>page</body></html>")).not.toContain("script");
});
