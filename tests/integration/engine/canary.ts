import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Listener that must not be reached; it records each contact. */
export interface Canary {
  readonly port: number;
  /** Contacts, e.g. `tcp`, `http GET /secret`, `websocket`, `udp`. */
  hits(): string[];
  close(): Promise<void>;
}

/**
 * Listens for TCP and UDP on one port of a loopback address, and answers HTTP and WebSocket like a public service, so
 * that every connection succeeds.
 */
export async function openCanary(host: "127.0.0.1" | "::1", wantedPort = 0): Promise<Canary> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(`http ${request.method} ${request.url}`);
    response.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" });
    response.end("<title>Secret</title><h1>Secret</h1>");
  });
  server.on("connection", () => hits.push("tcp"));
  server.on("connect", (_request, socket) => {
    hits.push("connect");
    socket.end();
  });
  server.on("upgrade", (_request, socket) => {
    hits.push("websocket");
    socket.end();
  });
  server.listen(wantedPort, host);
  try {
    await once(server, "listening");
  } catch (error) {
    // Machine without IPv6: an address without a listener cannot be reached either.
    if (host === "::1" && !/EADDRINUSE/.test(String(error))) return openCanary("127.0.0.1");
    throw error;
  }
  const { port } = server.address() as AddressInfo;

  const udp = createSocket(host === "::1" ? "udp6" : "udp4");
  udp.on("message", () => hits.push("udp"));
  udp.bind(port, host);
  await once(udp, "listening");

  return {
    port,
    hits: () => [...hits],
    async close() {
      udp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
