import { PassThrough, Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { createRequestHandler, type AppLoadContext, type ServerBuild } from "@remix-run/node";
import type { ReactElement } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { expect, it } from "vitest";
import * as entry from "~/entry.server";
import { postprocessHtml } from "~/platform/http/postprocess-html.server";
import * as root from "~/root";

/*
 * Uses the real output of Remix and React: these tests fail if a version changes it.
 */
const NONCE = "n0nce";
const END = "</body></html>";
// React has buffers of 2,048 bytes. With 17 bytes at a time, a buffer ends at every possible position.
const MANY = Array.from({ length: 5_000 }, (_, index) => <i key={index}>ü€😀!</i>);

const finished = (...parts: Buffer[]) => text(Readable.from(parts).pipe(postprocessHtml(NONCE)));

/** Unchanged output of React. */
function written(document: ReactElement): Promise<Buffer> {
  return buffer(renderToPipeableStream(document).pipe(new PassThrough()));
}

/** Page as sent by our server: with the real root, which has the scripts, and the real server entry. */
async function served(): Promise<string> {
  const route = (id: string, path: string | undefined, parentId?: string) => ({ id, path, parentId, hasAction: false, hasErrorBoundary: false });
  const asset = { hasLoader: false, hasClientAction: false, hasClientLoader: false, imports: ["/assets/shared.js"] };
  const build: ServerBuild = {
    mode: "production",
    entry: { module: entry },
    routes: {
      root: { id: "root", path: "", module: root },
      page: { id: "page", path: "page", parentId: "root", module: { default: () => <p>{MANY}</p> } },
    },
    assets: {
      entry: { module: "/assets/entry.js", imports: ["/assets/react.js"] },
      routes: {
        root: { ...route("root", ""), ...asset, hasLoader: true, module: "/assets/root.js" },
        page: { ...route("page", "page", "root"), ...asset, module: "/assets/page.js" },
      },
      url: "/assets/manifest.js",
      version: "1",
    },
    publicPath: "/",
    assetsBuildDirectory: "build/client",
    // The flags of vite.config.ts that affect served pages.
    future: {
      v3_fetcherPersist: true,
      v3_lazyRouteDiscovery: true,
      v3_relativeSplatPath: true,
      v3_singleFetch: true,
      v3_throwAbortReason: true,
    },
    isSpaMode: false,
  };
  const context = {
    ...{ nonce: NONCE, requestId: "REFERENCE" },
    log: { error: ({ err }: { err: unknown }) => expect.unreachable(String(err)) },
    services: { env: { BASE_URL: "https://rampe.example", SOURCE_URL: "https://code.example" }, billing: null, registration: { isClosed: false } },
    visitor: { user: async () => null, showFlash: async () => null, dropShownFlash: async () => {} },
  } as unknown as AppLoadContext;
  const answer = await createRequestHandler(build, "production")(new Request("https://rampe.example/page"), context);
  expect(answer.status).toBe(200);
  return answer.text();
}

const page = await served();

it("removes the NUL that React inserts between its buffers", async () => {
  const html = await written(<html><body>{MANY}</body></html>);
  expect(html.toString(), "React still does").toContain("\0");
  const mended = "<i>ü€😀!</i>".repeat(MANY.length);
  expect(await finished(html)).toBe(`<!DOCTYPE html><html><body>${mended}${END}`);
  expect(page).toContain(`<p>${mended}</p>`);
});

it("keeps a character that arrives in two parts", async () => {
  const html = await written(<html><body>Größe</body></html>);
  const bytes = Array.from(html, (_, index) => html.subarray(index, index + 1));
  expect(await finished(...bytes)).toBe(`<!DOCTYPE html><html><body>Größe${END}`);
});

it("moves the end of the document after all content", () => {
  // Remix writes it at the end of the document.
  expect(page).toContain("window.__remixContext.streamController.close()");
  expect(page.indexOf(END)).toBe(page.length - END.length);
});

it("delays scripts until the page is painted", () => {
  const scripts = [...page.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)].map(([, attributes = "", code = ""]) => ({ attributes, code }));
  for (const { attributes } of scripts) expect(attributes).not.toMatch(/\b(src|async|defer)\b|type="module"/);
  const held = scripts.filter(({ attributes }) => attributes.includes("type="));
  expect(held).toEqual([{ attributes: ` nonce="${NONCE}" type="text/plain"`, code: expect.stringContaining('import("/assets/entry.js")') as string }]);
  for (const { attributes, code } of scripts.filter((each) => !held.includes(each))) {
    expect(attributes).toBe(` nonce="${NONCE}"`);
    expect(code, "loads nothing").not.toMatch(/\bimport\b/);
  }
  expect(scripts.at(-1)?.code).toMatch(/^\{const start = .*requestAnimationFrame.*\}$/);

  const preloads = [...page.matchAll(/<link\b[^>]*rel="modulepreload"[^>]*>/g)].map(([link]) => link);
  const addresses = preloads.map((link) => /href="([^"]+)"/.exec(link)?.[1]).sort();
  expect(addresses).toEqual(["entry", "page", "react", "root", "shared"].map((name) => `/assets/${name}.js`));
  for (const link of preloads) expect(link).toContain('media="not all"');
});

it("adds no script to a page without scripts", async () => {
  const html = await written(<html><body>page</body></html>);
  expect(await finished(html)).toBe(html.toString());
});
