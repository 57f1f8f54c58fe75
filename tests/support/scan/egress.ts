import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { createAddressPolicy } from "~/scan/network/address-policy";
import { openEgress, type Egress, type EgressOptions } from "~/scan/network/egress";

/** Known host names; all others fail, so that no test uses a real name server. */
const NAMES: Record<string, string[]> = {
  "site.example": ["127.0.0.1"],
  "private.example": ["127.0.0.1"],
  "private6.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "mapped-hex.example": ["::ffff:7f00:1"],
  "unspecified.example": ["0.0.0.0"],
  "unspecified6.example": ["::"],
  "public-and-private.example": ["1.1.1.1", "127.0.0.1"],
  "private-and-public.example": ["127.0.0.1", "1.1.1.1"],
  "public-and-private6.example": ["1.1.1.1", "2606:4700::1111", "::1"],
  "nat64.example": ["64:ff9b::7f00:1"],
  "6to4.example": ["2002:7f00:1::"],
  "zone.example": ["::1%lo"],
  "metadata.example": ["169.254.169.254"],
  "metadata-mapped.example": ["::ffff:169.254.169.254"],
  "wire-server.example": ["168.63.129.16"],
  "short.example": ["127.1"],
  "name.example": ["localhost"],
  "empty.example": [],
};

async function lookup(host: string): Promise<string[]> {
  const addresses = NAMES[host];
  if (!addresses) throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
  return addresses;
}

/** Egress of the current test that allows only this site; closed with the test. */
export async function openEgressTo(site: EgressSite, options: Partial<EgressOptions> = {}): Promise<Egress> {
  const policy = createAddressPolicy([`127.0.0.1:${site.port}`]);
  const egress = await openEgress({ policy, lookup, ...options });
  onTestFinished(() => egress.close());
  return egress;
}

export interface EgressSite {
  port: number;
  requests: IncomingMessage[];
  close(): void;
}

/** The only site that the egress allows. */
export async function openEgressSite(): Promise<EgressSite> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site.example");
    if (pathname === "/redirect") response.writeHead(302, { location: searchParams.get("to") ?? "/" });
    if (pathname === "/forbidden") response.writeHead(403);
    if (pathname === "/hang-up") return request.socket.destroy();
    if (pathname === "/reset") return request.socket.resetAndDestroy();
    if (pathname === "/silent") return;
    response.end("the site");
  });
  server.on("upgrade", (_request, socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  });
  const port = await listen(server);
  return {
    port,
    requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

export function dial(port: number, host = "127.0.0.1"): Promise<Socket> {
  const socket = connect(port, host);
  return new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(socket));
    socket.once("error", reject);
  });
}

export const proxyPort = (of: Egress) => Number(new URL(of.proxyUrl).port);

/** Functions that use an egress like a browser or an attacker. @param current the egress of the current test, for calls without one */
export function egressClient(current: () => Egress) {
  /** Writes to the proxy. @returns its answer, until it closes the connection or sends no more */
  async function say(text: string, of = current()): Promise<string> {
    const socket = await dial(proxyPort(of));
    let answer = "";
    socket.on("data", (data) => (answer += data.toString("latin1")));
    socket.on("error", () => {});
    socket.setTimeout(150, () => socket.destroy());
    socket.write(text);
    await once(socket, "close");
    return answer;
  }

  /** Status and body of a plain request for an absolute address. */
  function get(
    url: string,
    of = current(),
  ): Promise<{ status: number; body: string; headers: IncomingMessage["headers"] }> {
    return new Promise((resolve, reject) => {
      const { host } = new URL(url);
      const request = httpRequest({
        port: proxyPort(of),
        path: url,
        headers: { host, "proxy-connection": "keep-alive" },
      });
      request.once("error", reject);
      request.once("response", async (response) => {
        const body = (await response.toArray()).join("");
        resolve({ status: response.statusCode ?? 0, body, headers: response.headers });
      });
      request.end();
    });
  }

  /** Requests a tunnel. @returns the status and the tunnel */
  function tunnel(authority: string, of = current()): Promise<{ status: number; socket: Socket }> {
    return new Promise((resolve, reject) => {
      const request = httpRequest({ port: proxyPort(of), method: "CONNECT", path: authority });
      request.once("error", reject);
      request.once("connect", ({ statusCode = 0 }, socket: Socket) => {
        socket.on("error", () => {});
        resolve({ status: statusCode, socket });
      });
      request.end();
    });
  }

  return { say, get, tunnel };
}
