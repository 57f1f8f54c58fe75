import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMeters } from "~/server/health/meters.server";

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
  templating: { list: { query: string | { query: string } }[] };
}

/** Words of Prometheus: functions, operators, keywords, and the metric that shows whether a target answers. */
const PROMQL = new Set(["up", "by", "sum", "min", "max", "rate", "increase", "changes", "predict_linear", "histogram_quantile", "label_values"]);

const ALERT_TESTS = "tests/support/servers/alerts-test.yaml";
const ALERTS = readFileSync("scripts/deploy/alerts.yaml", "utf8");
const { panels, templating } = JSON.parse(readFileSync("scripts/deploy/grafana-dashboard.json", "utf8")) as Dashboard;

const ofAlerts = [...ALERTS.matchAll(/^ +expr: (.+)$/gm)].map(([, expr = ""]) => expr);
const ofPanels = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const ofVariables = templating.list.flatMap(({ query }) => (typeof query === "string" ? [] : [query.query]));

/** All series of an unused server, in Prometheus' text format. */
async function exposed(): Promise<string> {
  const { text } = await createMeters().write({
    health: { ok: true, database: "ok", scanner: "ok", disk: "ok", backup: "ok", storage: "ok", version: "0.1.0" },
    workers: 1,
    storage: { state: "ok", freeBytes: 1, evidenceBytes: 1 },
    backlog: { jobs: [], mails: { waiting: 0, givenUp: 0 } },
  });
  return text;
}

test("alerts and dashboard name only metrics that /metrics has", async () => {
  const names = new Set([...(await exposed()).matchAll(/^(\w+)(?=[{ ])/gm)].map(([, name]) => name));
  expect(names.size).toBeGreaterThan(30);
  const used = [...ofAlerts, ...ofPanels, ...ofVariables].flatMap(metricsIn);
  expect(used.length).toBeGreaterThan(30);
  expect([...new Set(used)].filter((name) => !names.has(name))).toEqual([]);
});

test("alerts and dashboard name only values of labels that /metrics has", async () => {
  const series = await exposed();
  const used = [...ofAlerts, ...ofPanels].flatMap((expr) => [...expr.matchAll(/(\w+)(?:=~?)"([^"$]+)"/g)]).filter(([, label]) => label !== "job");
  expect(used.length).toBeGreaterThan(5);
  const unknown = used.flatMap(([, label, values = ""]) => values.split("|").filter((value) => !series.includes(`${label}="${value}"`)));
  expect(unknown).toEqual([]);
});

test("each part of the health has an alert", async () => {
  const parts = [...(await exposed()).matchAll(/^rampe_healthy\{part="(\w+)"\}/gm)].map(([, part = ""]) => part);
  const watched = ofAlerts.flatMap((expr) => [...expr.matchAll(/rampe_healthy\{part=~?"([^"]+)"/g)].flatMap(([, values = ""]) => values.split("|")));
  expect(parts).toContain("backup");
  expect(watched.sort()).toEqual(parts.sort());
});

test("each alert has an expression, a severity and words for people", () => {
  const rules = ALERTS.split("- alert: ").slice(1);
  expect(rules.length).toBe(ofAlerts.length);
  expect(rules.filter((rule) => !/severity: (warning|critical).*summary: .*description: /s.test(rule))).toEqual([]);
});

test("each alert has a test for promtool, in which it fires", () => {
  const names = [...ALERTS.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const firing = new Set([...readFileSync(ALERT_TESTS, "utf8").matchAll(/ALERTS\{alertname="(\w+)"/g)].map(([, name]) => name));
  expect(names.filter((name) => !firing.has(name))).toEqual([]);
});

test.each([
  ["the alert rules are accepted", ["check", "rules", "scripts/deploy/alerts.yaml"]],
  ["the alerts fire for a server of which everything fails, and for no other", ["test", "rules", ALERT_TESTS]],
])("%s by Prometheus' own tool, where it is installed", (_what, args) => {
  const { error, status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
  if (error) return;
  expect(status, stdout + stderr).toBe(0);
});

/** Names in an expression that are neither labels nor words of Prometheus. */
function metricsIn(expr: string): string[] {
  const withoutLabels = expr.replace(/\{[^}]*\}|\b(by) \([^)]*\)|\[[^\]]*\]|label_values\((\w+), \w+\)/g, (_all, _by, metric?: string) => metric ?? " ");
  return [...withoutLabels.matchAll(/[a-zA-Z_]\w*/g)].map(([name]) => name).filter((name) => !PROMQL.has(name));
}
