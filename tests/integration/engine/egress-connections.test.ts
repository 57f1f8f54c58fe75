import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer as createTcpServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createAddressPolicy } from "~/scan/network/address-policy";
import { openEgress, type Egress, type EgressOptions } from "~/scan/network/egress";
import { dial, egressClient, listen, openEgressSite, openEgressTo, proxyPort, type EgressSite } from "../../support/scan/egress";

let site: EgressSite;
let egress: Egress;

const open = (options: Partial<EgressOptions> = {}) => openEgressTo(site, options);
const { say, get, tunnel } = egressClient(() => egress);

beforeAll(async () => {
  site = await openEgressSite();
});

afterAll(() => site.close());

beforeEach(async () => {
  egress = await open();
});

describe("allowed connections work", () => {
  it("a request with its body, without headers of the proxy", async () => {
    const { status, body } = await get(`http://127.0.0.1:${site.port}/page?q=1`);
    expect({ status, body }).toEqual({ status: 200, body: "the site" });
    const { url, headers } = site.requests.at(-1)!;
    expect(url).toBe("/page?q=1");
    expect(Object.keys(headers).filter((name) => /proxy|via|forwarded/.test(name))).toEqual([]);
    expect(egress.outcome("127.0.0.1", site.port)).toBeUndefined();
    expect(egress.refusals()).toEqual([]);
    expect(egress.bytes()).toBeGreaterThan("the site".length);
  });

  it("a tunnel, with data sent before it was open", async () => {
    const before = egress.bytes();
    const request = `GET /in-tunnel HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n`;
    const answer = await say(`CONNECT site.example:${site.port} HTTP/1.1\r\n\r\n${request}`);
    expect(answer).toMatch(/^HTTP\/1.1 200 Connection Established\r\n\r\nHTTP\/1.1 200 OK/);
    expect(answer).toContain("the site");
    expect(egress.bytes() - before).toBe(
      answer.length - "HTTP/1.1 200 Connection Established\r\n\r\n".length,
    );
  });

  it("a WebSocket through a tunnel", async () => {
    const upgrade = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    const answer = await say(`CONNECT 127.0.0.1:${site.port} HTTP/1.1\r\n\r\n${upgrade}`);
    expect(answer).toContain("101 Switching Protocols");
  });
});

describe("look-ups by the system", () => {
  it("a name in the operator's list may be only in the hosts file", async () => {
    const policy = createAddressPolicy([`localhost:${site.port}`]);
    const visit = await openEgress({ policy });
    onTestFinished(() => visit.close());
    expect((await get(`http://localhost:${site.port}/`, visit)).body).toBe("the site");
  });

  it("a missing name has no address, with or without a name server", async () => {
    const visit = await openEgress({ policy: createAddressPolicy([]), connectTimeoutMs: 1_500 });
    onTestFinished(() => visit.close());
    expect((await get("http://no-such-name.invalid/", visit)).status).toBe(502);
    expect(visit.outcome("no-such-name.invalid", 80)?.kind).toBe("dns");
  });
});

describe("the reason of a failed connection is known", () => {
  it("a site's own 403 does not count as blocked", async () => {
    expect((await get(`http://127.0.0.1:${site.port}/forbidden`)).status).toBe(403);
    expect(egress.outcome("127.0.0.1", site.port)).toBeUndefined();
  });

  it("a name without an address", async () => {
    for (const host of ["unknown.example", "empty.example"]) {
      expect((await get(`http://${host}/`)).status).toBe(502);
      expect((await tunnel(`${host}:443`)).status).toBe(502);
      expect(egress.outcome(host, 80)?.kind).toBe("dns");
      expect(egress.outcome(`${host.toUpperCase()}.`, 443)?.kind).toBe("dns");
    }
  });

  it("a name server that does not answer", async () => {
    const visit = await open({ lookup: () => new Promise(() => {}), connectTimeoutMs: 100 });
    expect((await get("http://slow.example/", visit)).status).toBe(502);
    expect(visit.outcome("slow.example", 80)).toEqual({
      kind: "dns",
      technical: "slow.example has no address (ETIMEOUT)",
    });
  });

  it("a closed port, until a server listens", async () => {
    const server = createTcpServer((socket) => socket.end("HTTP/1.0 200 OK\r\n\r\nhere"));
    const port = await listen(server);
    server.close();
    const visit = await open({ policy: createAddressPolicy([`127.0.0.1:${port}`]) });
    expect((await get(`http://127.0.0.1:${port}/`, visit)).status).toBe(502);
    expect(visit.outcome("127.0.0.1", port)).toEqual({ kind: "refused", technical: "ECONNREFUSED" });
    expect((await tunnel(`127.0.0.1:${port}`, visit)).status).toBe(502);

    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    expect((await get(`http://127.0.0.1:${port}/`, visit)).body).toBe("here");
    expect(visit.outcome("127.0.0.1", port)).toBeUndefined();
    server.close();
  });

  it.each(["hang-up", "reset"])("a site that closes an accepted connection (%s)", async (how) => {
    expect((await get(`http://127.0.0.1:${site.port}/${how}`)).status).toBeGreaterThanOrEqual(500);
    expect(egress.outcome("127.0.0.1", site.port)?.kind).toBe("reset");
    await get(`http://127.0.0.1:${site.port}/`);
    expect(egress.outcome("127.0.0.1", site.port)).toBeUndefined();

    const { socket } = await tunnel(`127.0.0.1:${site.port}`);
    socket.resume().write(`GET /${how} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, "close");
    expect(egress.outcome("127.0.0.1", site.port)?.kind).toBe("reset");
  });

  it("a connection closed by the browser is no failure", async () => {
    const { socket } = await tunnel(`127.0.0.1:${site.port}`);
    socket.write("GET /silent HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => site.requests.at(-1)?.url).toBe("/silent");
    const upstream = site.requests.at(-1)!.socket;
    socket.destroy();
    await once(upstream, "close");
    expect(egress.outcome("127.0.0.1", site.port)).toBeUndefined();
  });

  it.skipIf(process.platform !== "linux")("a host that does not answer at all", async () => {
    const deaf = await openDeafServer();
    const visit = await open({
      policy: createAddressPolicy([`127.0.0.1:${deaf.port}`]),
      connectTimeoutMs: 300,
    });
    const start = Date.now();
    expect((await get(`http://127.0.0.1:${deaf.port}/`, visit)).status).toBe(504);
    expect((await tunnel(`127.0.0.1:${deaf.port}`, visit)).status).toBe(504);
    expect(Date.now() - start).toBeLessThan(2_000);
    expect(visit.outcome("127.0.0.1", deaf.port)?.kind).toBe("timeout");
    await deaf.close();
  });
});

/** Stopped process that listens, with a full queue: Linux then ignores new connections. */
async function openDeafServer() {
  const script = `const s = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => console.log(s.address().port))`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [data] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(data.toString());
  child.kill("SIGSTOP");
  const fillers = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    port,
    async close() {
      for (const filler of fillers) filler.destroy();
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

describe("at the end of a visit", () => {
  it("all connections are closed at once, on both sides", async () => {
    const { socket } = await tunnel(`127.0.0.1:${site.port}`);
    socket.write("GET /silent HTTP/1.1\r\nHost: x\r\n\r\n");
    const pending = get(`http://127.0.0.1:${site.port}/silent?plain`).catch((error: Error) => error);
    await expect.poll(() => site.requests.at(-1)?.url).toBe("/silent?plain");
    const upstream = site.requests.slice(-2).map((request) => request.socket);

    const start = Date.now();
    const ended = [socket, ...upstream].map((socket) => once(socket, "close"));
    await egress.close();
    await Promise.all(ended);
    expect(await pending).toBeInstanceOf(Error);
    expect(Date.now() - start).toBeLessThan(500);
    await expect(dial(proxyPort(egress))).rejects.toThrow("ECONNREFUSED");
  });

  it("a pending look-up does not connect any more", async () => {
    let answer: (addresses: string[]) => void = () => {};
    const visit = await open({ lookup: () => new Promise((resolve) => (answer = resolve)) });
    const before = site.requests.length;
    const pending = get(`http://late.example:${site.port}/`, visit).catch((error: Error) => error);
    await expect.poll(() => answer).toBeTypeOf("function");
    await visit.close();
    answer(["127.0.0.1"]);
    expect(await pending).toBeInstanceOf(Error);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(site.requests).toHaveLength(before);
  });

  it("closing twice is possible", async () => {
    const port = proxyPort(egress);
    await egress.close();
    await expect(egress.close()).resolves.toBeUndefined();
    await expect(dial(port)).rejects.toThrow("ECONNREFUSED");
  });
});
