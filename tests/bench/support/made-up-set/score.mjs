/**
 * Scorer of one made-up page, in place of `DETECT_DIR` in smoke mode: one error is to be found, and one element is right. Ends with 1 if
 * the answer is another one.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

const PAGE = `<!doctype html><html lang="en"><title>Page</title><main><h1>Page</h1><img id="wrong" src="data:,"><img id="right" alt="A chair" src="data:,"></main></html>`;

const { values } = parseArgs({ strict: false, options: { set: { type: "string" }, "batch-cmd": { type: "string" } } });
const server = createServer((_, response) => response.setHeader("content-type", "text/html; charset=utf-8").end(PAGE)).listen(0, "127.0.0.1");
await once(server, "listening");

const command = spawn(String(values["batch-cmd"]), { shell: true, stdio: ["pipe", "pipe", "inherit"] });
command.stdin.end(`http://127.0.0.1:${server.address().port}/`);
const [page] = (await text(command.stdout)).split("\n").filter(Boolean).map((line) => JSON.parse(line));
server.close();

const targets = page.violations.filter(({ ruleId }) => ruleId === "image-alt").flatMap(({ nodes }) => nodes.flatMap(({ target }) => target));
const [found, wrong] = ["#wrong", "#right"].map((target) => targets.filter((each) => each === target).length);
console.table([
  { what: `errors found, set ${values.set}`, measured: String(found), target: "1", verdict: found === 1 ? "ok" : "MISSED" },
  { what: "false alarms", measured: String(wrong), target: "0", verdict: wrong === 0 ? "ok" : "MISSED" },
]);
if (found !== 1 || wrong !== 0) process.exitCode = 1;
