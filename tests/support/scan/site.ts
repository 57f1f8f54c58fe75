import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { SELF_SIGNED } from "../servers/self-signed";

/** Page: its HTML, an answer, or a handler. */
export type Page =
  string | { status?: number; headers?: Record<string, string>; body?: string | Buffer } | Handler;
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Site {
  /** Origin `http://127.0.0.1:port`; the site also answers as `localhost`, another site for browsers. */
  readonly origin: string;
  readonly port: number;
  /** Requested paths so far. */
  readonly requests: string[];
  /** Number of connections so far. */
  connections(): number;
  url(path: string, host?: "127.0.0.1" | "localhost"): string;
  close(): Promise<void>;
}

/** Serves pages from loopback by path, and 404 for all others. */
export async function openSite(pages: Record<string, Page>, { tls = false } = {}): Promise<Site> {
  const requests: string[] = [];
  const listener: RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site.test");
    requests.push(pathname);
    answer(
      pages[pathname] ?? { status: 404, body: "<!doctype html><title>Not found</title><h1>Not found</h1>" },
    );

    function answer(page: Page) {
      if (typeof page === "function") return page(request, response);
      const { status = 200, headers = {}, body = "" } = typeof page === "string" ? { body: page } : page;
      response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
    }
  };
  const server = tls ? createHttpsServer(SELF_SIGNED, listener) : createHttpServer(listener);
  let connections = 0;
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const scheme = tls ? "https" : "http";
  return {
    origin: `${scheme}://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    url: (path, host = "127.0.0.1") => `${scheme}://${host}:${port}${path}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Page with one violation (an image without text), as a proof that the page was analysed. */
export function pageWith(extra: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><title>Page</title>${head}</head><body><main><h1>Heading</h1><img id="bare" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">${extra}</main></body></html>`;
}
