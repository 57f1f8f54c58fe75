import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readEnv } from "~/platform/env.server";

const read = (name: string) => readFileSync(`scripts/deploy/${name}`, "utf8");
const linesOf = (name: string) => read(name).split("\n").map((line) => line.trim());

describe("the service of systemd", () => {
  const lines = linesOf("rampe.service");

  test.each([
    ["tells when it is ready, and is started again when it hangs", ["Type=notify", "NotifyAccess=all", "WatchdogSec=60", "Restart=on-failure"]],
    ["runs as a user of its own, with data in one folder", ["User=rampe", "StateDirectory=rampe", "UMask=0077", "StateDirectoryMode=0700"]],
    ["sees no home folders", ["ProtectHome=true", "PrivateTmp=true", "PrivateDevices=true"]],
    ["may write nothing but its data and backups", ["ProtectSystem=strict", "ReadWritePaths=-/var/backups/rampe"]],
    ["gets no rights", ["NoNewPrivileges=true", "CapabilityBoundingSet=", "SystemCallArchitectures=native", "SystemCallErrorNumber=EPERM"]],
    ["lets Chromium make its sandbox, and nothing else", ["RestrictNamespaces=user pid net", "SystemCallFilter=@system-service chroot"]],
    ["has a limit of memory, at which the browser ends and not the server", ["MemoryMax=80%", "OOMPolicy=continue"]],
    ["lets the server end its browser itself", ["KillMode=mixed", "TimeoutStopSec=20"]],
  ])("%s", (_what, wanted) => expect(lines).toEqual(expect.arrayContaining(wanted)));

  // The tests above run everywhere; this one needs systemd.
  test("is accepted by systemd, where there is one", () => {
    if (spawnSync("systemd-analyze", ["--version"]).error) return;
    const folder = mkdtempSync(path.join(tmpdir(), "rampe-unit-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = path.join(folder, "rampe.service");
    writeFileSync(file, read("rampe.service").replace("/usr/bin/node", process.execPath));
    const ask = (...args: string[]) => spawnSync("systemd-analyze", [...args, file], { encoding: "utf8" });
    expect(ask("verify", "--man=no")).toMatchObject({ status: 0, stderr: "" });
    // Maximum "exposure level": 3 of 10.
    expect(ask("security", "--offline=true", "--no-pager", "--threshold=30")).toMatchObject({ status: 0 });
  });
});

test("the install script names a command for a browser that the system has", () => {
  const remedies = linesOf("install.sh").filter((line) => line.includes("remedy="));
  expect(remedies).toEqual([expect.stringContaining("apt-get install --no-install-recommends chromium-headless-shell"), expect.stringContaining("npx --yes @puppeteer/browsers install")]);
  expect(spawnSync("sh", ["-n", "scripts/deploy/install.sh"]).status).toBe(0);
});

describe("the container", () => {
  const lines = linesOf("Containerfile");
  const compose = linesOf("compose.yaml");

  test("is not root, listens for others, keeps its data in one volume and ends what Chromium leaves behind", () => {
    const last = lines.slice(lines.lastIndexOf("FROM ${BASE}"));
    expect(last).toEqual(expect.arrayContaining(["USER 10001", "VOLUME /data", 'ENTRYPOINT ["tini", "--"]', "STOPSIGNAL SIGTERM"]));
    expect(last.find((line) => line.startsWith("ENV "))).toMatch(/ HOST=0\.0\.0\.0 PORT=3000 DATA_DIR=\/data /);
    expect(last.find((line) => line.startsWith("HEALTHCHECK "))).toContain('CMD ["node", "scripts/deploy/health.mjs"]');
  });

  test("is built from what is named, without data, settings and packages of this machine", () => {
    const [all, ...named] = linesOf("Containerfile.dockerignore").filter((line) => line && !line.startsWith("#"));
    expect(all).toBe("*");
    const taken = named.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    expect(taken.filter((name) => !existsSync(name))).toEqual([]);
    for (const name of ["node_modules", "build", "var", ".env", "tests"]) expect(taken).not.toContain(name);
    expect(named).toContain("scripts/deploy/.env");
  });

  test("gets few rights and a seccomp profile from compose.yaml, and no database that is not built yet", () => {
    expect(compose).toEqual(expect.arrayContaining(["read_only: true", "- ALL", "- no-new-privileges", "- seccomp=./seccomp.json", "- /tmp"]));
    expect(compose).toEqual(expect.arrayContaining(["HOST: 0.0.0.0", 'PORT: "3000"', "DATA_DIR: /data", "- data:/data"]));
    expect(compose.filter((line) => line.startsWith("image: "))).toEqual(["image: localhost/rampe", "image: docker.io/library/caddy:2"]);
  });

  test("keeps few logs, like the proxy in front", () => {
    expect(compose).toEqual(expect.arrayContaining(["driver: json-file", "max-size: 10m", 'max-file: "3"']));
    expect(compose.filter((line) => line === "logging: *logging")).toHaveLength(compose.filter((line) => line.startsWith("image: ")).length);
  });

  test("may make namespaces for Chromium's sandbox, but neither mount nor enter others", () => {
    const profile = JSON.parse(read("seccomp.json")) as { defaultAction: string; syscalls: { names: string[]; action: string; args?: unknown }[] };
    expect(profile.defaultAction).toBe("SCMP_ACT_ALLOW");
    const forbidden = profile.syscalls.filter(({ action, args }) => action === "SCMP_ACT_ERRNO" && !args).flatMap(({ names }) => names);
    expect(forbidden).toEqual(expect.arrayContaining(["mount", "pivot_root", "setns", "bpf", "keyctl", "io_uring_setup", "userfaultfd", "init_module"]));
    for (const name of ["clone", "clone3", "unshare", "chroot", "seccomp"]) expect(forbidden).not.toContain(name);
  });
});

describe("proxies in front", () => {
  test("nginx takes headers and pictures as large as Rampe does, and sends the visitor's address", () => {
    const lines = linesOf("nginx.conf");
    const wanted = ["large_client_header_buffers 4 128k;", "proxy_buffer_size 128k;", "client_max_body_size 6m;"];
    expect(lines).toEqual(expect.arrayContaining([...wanted, "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;", "proxy_set_header Host $host;"]));
  });

  test("Caddy lets no connection stay idle for as long as Node does", () => {
    expect(linesOf("Caddyfile")).toContain("keepalive 3s");
  });
});

test("the sample of settings names only settings that exist", () => {
  const names = [...read("rampe.env").matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(5);
  const settings = Object.keys(readEnv({}));
  expect(names.filter((name = "") => !settings.includes(name))).toEqual([]);
});
