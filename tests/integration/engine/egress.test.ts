import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createAddressPolicy } from "~/scan/network/address-policy";
import type { Egress, EgressOptions } from "~/scan/network/egress";
import { dial, egressClient, openEgressSite, openEgressTo, type EgressSite } from "../../support/scan/egress";
import { openCanary, type Canary } from "./canary";

let canary: Canary;
let canary6: Canary;
let site: EgressSite;
let egress: Egress;

const open = (options: Partial<EgressOptions> = {}) => openEgressTo(site, options);
const { say, get, tunnel } = egressClient(() => egress);

beforeAll(async () => {
  canary = await openCanary("127.0.0.1");
  canary6 = await openCanary("::1");
  site = await openEgressSite();
});

afterAll(async () => {
  await canary.close();
  await canary6.close();
  site.close();
});

beforeEach(async () => {
  egress = await open();
});

const expectNoVisitor = () => {
  expect(canary.hits()).toEqual([]);
  expect(canary6.hits()).toEqual([]);
};

/** All spellings of hosts with the address of a canary, or another private address. */
const PRIVATE_HOSTS = [
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.0.1",
  "127.255.255.254",
  "2130706433",
  "017700000001",
  "0177.0.0.1",
  "0x7f000001",
  "0x7f.0.0.1",
  "0x7F.1",
  "0",
  "0.0.0.0",
  "127%2e0%2e0%2e1",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "%6cocalhost",
  "app.localhost",
  "localhost.localdomain",
  "printer.local",
  "metadata.google.internal",
  "intranet",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::127.0.0.1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "[ff02::1]",
  "10.0.0.1",
  "100.64.0.1",
  "100.100.100.200",
  "168.63.129.16",
  "169.254.169.254",
  "2852039166",
  "172.16.0.1",
  "192.168.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "private.example",
  "PRIVATE.example.",
  "private6.example",
  "mapped.example",
  "mapped-hex.example",
  "unspecified.example",
  "unspecified6.example",
  "public-and-private.example",
  "private-and-public.example",
  "public-and-private6.example",
  "nat64.example",
  "6to4.example",
  "zone.example",
  "metadata.example",
  "metadata-mapped.example",
  "wire-server.example",
  "short.example",
  "name.example",
  ...Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address)),
];

describe("private addresses are not reached", () => {
  it.each(PRIVATE_HOSTS)("%s", async (host) => {
    for (const port of [canary.port, canary6.port]) {
      expect(await say(`CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 403 /,
      );
      expect(await say(`GET http://${host}:${port}/ HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 403 /,
      );
      expect(egress.outcome(host, port)).toMatchObject({ kind: "blocked" });
      expect(egress.refusals().some((refusal) => refusal.port === port)).toBe(true);
    }
    expectNoVisitor();
    expect(egress.bytes()).toBe(0);
  });

  it("a port of mail servers, databases and the like, even of a public host", async () => {
    const generous = await open({ policy: createAddressPolicy(["site.example", "127.0.0.0/8"]) });
    for (const port of [0, 1, 22, 25, 110, 445, 1023, 2375, 3306, 3389, 5432, 6379, 9200, 11211, 27017]) {
      for (const host of ["site.example", "127.0.0.1"]) {
        expect((await tunnel(`${host}:${port}`, generous)).status).toBe(403);
        expect(generous.outcome(host, port)?.technical).toBe(`port ${port} is not allowed`);
      }
    }
    expect(generous.refusals()).toHaveLength(30);
  });

  it.each([
    ["user info before the host", "http://site.example@127.0.0.1:CANARY/"],
    ["user info with a port before the host", "http://site.example:80@127.0.0.1:CANARY/"],
    ["a backslash before the host", "http:\\\\127.0.0.1:CANARY/"],
    ["a backslash and user info", "http://site.example\\@127.0.0.1:CANARY/"],
    ["a fragment before the host", "http://127.0.0.1:CANARY#@site.example/"],
    ["no slashes", "http:127.0.0.1:CANARY/"],
    ["too many slashes", "http:////127.0.0.1:CANARY/"],
    ["https", "https://127.0.0.1:CANARY/"],
    ["ftp", "ftp://127.0.0.1:CANARY/"],
    ["file", "file://127.0.0.1:CANARY/etc/passwd"],
    ["ws", "ws://127.0.0.1:CANARY/"],
    ["a path alone", "/"],
    ["an asterisk", "*"],
    ["a host alone", "127.0.0.1:CANARY"],
  ])("a request with %s", async (_what, url) => {
    const target = url.replace("CANARY", String(canary.port));
    for (const host of [`127.0.0.1:${canary.port}`, `site.example:${site.port}`]) {
      for (const method of ["GET", "POST", "OPTIONS", "TRACE"]) {
        const answer = await say(
          `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`,
        );
        expect(answer).toMatch(/^HTTP\/1.1 40[03] /);
      }
    }
    expectNoVisitor();
  });

  it.each([
    ["user info", "site.example@127.0.0.1:CANARY"],
    ["a path", "127.0.0.1:CANARY/@site.example:80"],
    ["a fragment", "127.0.0.1:CANARY#@site.example:80"],
    ["a scheme", "http://127.0.0.1:CANARY"],
    ["no port", "127.0.0.1"],
    ["a port too large", "127.0.0.1:65616"],
    ["port 0", "127.0.0.1:0"],
    ["a zone", "[::1%25lo]:CANARY"],
    ["an empty host", ":CANARY"],
    ["two hosts", "site.example:80,127.0.0.1:CANARY"],
  ])("a tunnel with %s", async (_what, authority) => {
    const target = authority.replace("CANARY", String(canary.port));
    expect(await say(`CONNECT ${target} HTTP/1.1\r\nHost: site.example\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 40[03] /,
    );
    expectNoVisitor();
  });

  it("the target of a redirect", async () => {
    for (const to of ["http://169.254.169.254/latest/meta-data/", `http://127.0.0.1:${canary.port}/`]) {
      const redirect = await get(`http://127.0.0.1:${site.port}/redirect?to=${encodeURIComponent(to)}`);
      expect(redirect.headers.location).toBe(to);
      expect(await get(to)).toMatchObject({ status: 403, body: "blocked" });
    }
    expect(egress.refusals()).toEqual([
      { host: "169.254.169.254", port: 80 },
      { host: "127.0.0.1", port: canary.port },
    ]);
    expectNoVisitor();
  });

  it("by a WebSocket, through a tunnel or as an upgrade", async () => {
    const upgrade =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n\r\n";
    const host = `127.0.0.1:${canary.port}`;
    expect(await say(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n${upgrade}`)).toMatch(
      /^HTTP\/1.1 403 /,
    );
    expect(
      await say(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\nGET / HTTP/1.1\r\n${upgrade}`),
    ).toMatch(/^HTTP\/1.1 403 /);
    expectNoVisitor();
  });
});

describe("a request cannot bypass the address policy", () => {
  const toSite = () => `http://127.0.0.1:${site.port}/`;
  const siteHost = () => `Host: 127.0.0.1:${site.port}\r\n`;
  const toCanary = () =>
    `GET http://127.0.0.1:${canary.port}/secret HTTP/1.1\r\nHost: 127.0.0.1:${canary.port}\r\n\r\n`;

  it.each<[string, () => string]>([
    [
      "a Host header that names another site",
      () => `GET ${toSite()} HTTP/1.1\r\nHost: 127.0.0.1:${canary.port}\r\n\r\n`,
    ],
    [
      "a second Host header",
      () => `GET ${toSite()} HTTP/1.1\r\n${siteHost()}Host: 127.0.0.1:${canary.port}\r\n\r\n`,
    ],
    ["a second request behind the first", () => `GET ${toSite()} HTTP/1.1\r\n${siteHost()}\r\n${toCanary()}`],
    [
      "a second request behind a body",
      () => `POST ${toSite()} HTTP/1.1\r\n${siteHost()}Content-Length: 4\r\n\r\nbody${toCanary()}`,
    ],
    [
      "a second request in a body",
      () =>
        `POST ${toSite()} HTTP/1.1\r\n${siteHost()}Content-Length: ${toCanary().length}\r\n\r\n${toCanary()}`,
    ],
    [
      "two lengths",
      () =>
        `POST ${toSite()} HTTP/1.1\r\n${siteHost()}Content-Length: 0\r\nContent-Length: 99\r\n\r\n${toCanary()}`,
    ],
    [
      "a length and chunks",
      () =>
        `POST ${toSite()} HTTP/1.1\r\n${siteHost()}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${toCanary()}`,
    ],
    [
      "chunks under another name",
      () =>
        `POST ${toSite()} HTTP/1.1\r\n${siteHost()}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${toCanary()}`,
    ],
    ["a folded header", () => `GET ${toSite()} HTTP/1.1\r\n${siteHost()}X-A: a\r\n ${toCanary()}`],
    ["a line break in the target", () => `GET ${toSite()}\r\nX: ${toCanary()}`],
    ["bare line feeds", () => `GET ${toSite()} HTTP/1.1\n${siteHost()}\n${toCanary()}`],
    ["a line that ends early", () => `GET ${toSite()} HTTP/0.9\r\n\r\n${toCanary()}`],
    [
      "a tunnel behind a request",
      () => `GET ${toSite()} HTTP/1.1\r\n${siteHost()}\r\nCONNECT 127.0.0.1:${canary.port} HTTP/1.1\r\n\r\n`,
    ],
    [
      "a tunnel with a body",
      () => `CONNECT 127.0.0.1:${canary.port} HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody${toCanary()}`,
    ],
    [
      "a request within a tunnel to the site",
      () => `CONNECT 127.0.0.1:${site.port} HTTP/1.1\r\n\r\n${toCanary()}`,
    ],
    [
      "credentials for the proxy",
      () => toCanary().replace("\r\n\r\n", "\r\nProxy-Authorization: Basic YTpi\r\n\r\n"),
    ],
    [
      "a forwarded host",
      () => `GET ${toSite()} HTTP/1.1\r\n${siteHost()}X-Forwarded-Host: 127.0.0.1:${canary.port}\r\n\r\n`,
    ],
  ])("%s", async (_what, text) => {
    await say(text());
    expectNoVisitor();
  });

  it("a Host header that names another site is refused", async () => {
    const before = site.requests.length;
    const answer = await say(`GET ${toSite()} HTTP/1.1\r\nHost: 127.0.0.1:${canary.port}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(site.requests).toHaveLength(before);
  });
});

describe("a name cannot change its address", () => {
  it("the checked address is the one that is connected to", async () => {
    // The canary listens at the second address of the name, on the same port as the site.
    const trap = await openCanary("::1", site.port);
    const answers = [["127.0.0.1"], ["::1"], ["::1"]];
    const rebinding = vi.fn(async () => answers.shift() ?? ["::1"]);
    const visit = await open({ lookup: rebinding });
    const url = `http://rebinding.example:${site.port}/`;
    for (let i = 0; i < 5; i++) expect((await get(url, visit)).body).toBe("the site");
    const { status, socket } = await tunnel(`rebinding.example:${site.port}`, visit);
    expect(status).toBe(200);
    socket.destroy();
    expect(rebinding).toHaveBeenCalledTimes(1);

    const next = await open({ lookup: rebinding });
    expect(await get(url, next)).toMatchObject({ status: 403, body: "blocked" });
    expect(next.refusals()).toEqual([{ host: "rebinding.example", port: site.port, address: "::1" }]);
    expect(next.outcome("rebinding.example", site.port)).toMatchObject({ kind: "blocked", address: "::1" });
    expect(trap.hits()).toEqual([]);
    await trap.close();
  });

  it("the page does not learn the address", async () => {
    const { body, headers } = await get(`http://public-and-private.example:${canary.port}/`);
    expect(body + JSON.stringify(headers)).not.toContain("127.0.0.1");
  });
});

it("refusals are logged, and nothing is printed", async () => {
  const printed = ["log", "info", "warn", "error", "debug"].map((name) =>
    vi.spyOn(console, name as "log").mockImplementation(() => {}),
  );
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  const log = vi.fn();
  const visit = await open({ log });
  await say("nonsense\r\n\r\n", visit);
  for (let i = 0; i < 30; i++) await get(`http://127.0.0.1:${site.port}/`, visit);
  await Promise.all(Array.from({ length: 30 }, () => get(`http://127.0.0.1:${canary.port}/`, visit)));
  await get(`http://127.0.0.1:${site.port}/reset`, visit);
  await visit.close();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  expect(warnings).toEqual([]);
  expect(log).toHaveBeenCalledWith("egress.blocked", {
    host: "127.0.0.1",
    port: canary.port,
    technical: "127.0.0.1 is not public",
  });
  vi.restoreAllMocks();
});

it("control: a canary counts every connection", async () => {
  const control = await openCanary("127.0.0.1");
  const visit = await open({ policy: createAddressPolicy([`127.0.0.1:${control.port}`]) });
  (await dial(control.port)).destroy();
  await expect.poll(() => control.hits()).toEqual(["tcp"]);
  expect((await get(`http://127.0.0.1:${control.port}/secret`, visit)).body).toContain("Secret");
  expect(control.hits()).toEqual(["tcp", "tcp", "http GET /secret"]);
  await control.close();
});
