import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReleasesDouble {
  /** Value for `RELEASES_URL`. */
  readonly url: string;
  /** Requests so far. */
  readonly requests: { method: string; path: string; headers: IncomingHttpHeaders; body: string }[];
  /** Answer: a JSON document, a text, or a function that answers. */
  answer: object | string | ((response: ServerResponse) => void);
  close(): Promise<void>;
}

/** Server on loopback with a JSON document about the newest version, at first 9.0.0. */
export async function startReleases(): Promise<ReleasesDouble> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      double.requests.push({ method, path, headers, body });
      const { answer } = double;
      if (typeof answer === "function") answer(response);
      else response.setHeader("Content-Type", "application/json").end(typeof answer === "string" ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const double: ReleasesDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest`,
    requests: [],
    answer: { tag_name: "v9.0.0", html_url: "https://example.org/rampe-9.0.0", body: "Notes" },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return double;
}
