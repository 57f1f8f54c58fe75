import { describe, expect, it } from "vitest";
import { timeLimitsIn } from "~/scan/rules/rampe/timing/time-limits-in";

const seconds = (source: string) => timeLimitsIn(source).map(({ ms }) => ms / 1_000);

describe("time limits that are found in scripts", () => {
  it.each([
    ["another page", `setTimeout(() => { location.href = "/end" }, 900000)`, 900],
    ["a new page, by a product", `window.setTimeout(function () { window.location.reload(); }, 15 * 60 * 1000);`, 900],
    ["code in a text", `setTimeout("location.reload()", 60000)`, 60],
    ["a function of the page", `function leave(why) { say(why); location.assign("/end"); } setTimeout(leave, 3e5)`, 300],
    ["a function that is called", `const leave = () => { location = "/end" }; setTimeout(() => leave(), 60_000)`, 60],
    ["a name for the time", `const LIMIT = 20 * 60 * 1000; setTimeout(logout, LIMIT)`, 1_200],
    ["a check of the session", `setInterval(function () { if (Date.now() - lastActive > idleTime) { location = "/logout" } }, 30000)`, 30],
    ["brackets and quotes in texts", `setTimeout(() => { say(") it's late // \\" ("); location.reload() }, 60000)`, 60],
    ["a remark before it", `setTimeout(() => { // (it isn't over\n location.reload() }, 60000)`, 60],
  ])("%s", (_what, source, expected) => {
    expect(seconds(source)).toEqual([expected]);
  });

  it.each([
    ["short times", `setTimeout(() => { location.reload() }, 5000)`],
    ["times longer than 20 hours", `setTimeout(() => { location.reload() }, 24 * 3600 * 1000)`],
    ["times that are not known", `setTimeout(() => { location.reload() }, options.time)`],
    ["names with several values", `let time = 60000; time = 1; setTimeout(() => { location.reload() }, time)`],
    ["names that are read from elsewhere", `const time = read(); setTimeout(() => { location.reload() }, time)`],
    ["other code", `setTimeout(() => { message.hidden = true }, 60000)`],
    ["what comes later, outside of the call", `setTimeout(() => { hide() }, 60000); location.href = "/end"`],
    ["variables of this name", `setTimeout(() => { const location = place(); show(location) }, 60000)`],
    ["other properties of this name", `setTimeout(() => { filter.location = "Bonn" }, 60000)`],
    ["comparisons", `setTimeout(() => { show(location.href == start) }, 60000)`],
    ["what a server decides", `setInterval(() => { fetch("/version").then((answer) => { if (answer.ok) location.reload() }) }, 60000)`],
    ["a condition", `setInterval(() => { if (document.hidden) location.reload() }, 60000)`],
    ["functions that are only defined", `setTimeout(function () { function logout() {} }, 60000)`],
    ["calls without an end", `setTimeout(() => { location.reload()`],
    ["nothing", ""],
  ])("not: %s", (_what, source) => {
    expect(seconds(source)).toEqual([]);
  });

  it.each([
    ["the address", `setTimeout(() => { location.href = "/logout" }, 60000)`, true],
    ["a part of the address", `setTimeout(() => { location = "/start?reason=timeout" }, 60000)`, true],
    ["the function of the timer", `function endSession() { location = "/" } setTimeout(endSession, 60000)`, true],
    ["a function that it calls", `setTimeout(() => { save(); signOut() }, 60000)`, true],
    ["a German address", `setTimeout(() => { location.assign("/sitzung-abgelaufen") }, 60000)`, true],
    ["nothing: another page", `setTimeout(() => { location = "/next"; show("session") }, 60000)`, false],
    ["nothing: the name of a timer", `setTimeout(() => { location.reload(), setTimeout(show, 100) }, 60000)`, false],
  ])("end a session, by %s", (_what, source, expected) => {
    expect(timeLimitsIn(source).map(({ endsSession }) => endsSession)).toEqual([expected]);
  });

  it("are told with the beginning of their code", () => {
    const [limit] = timeLimitsIn(`setTimeout(() => {\n  location.reload();\n}, 60000)`);
    expect(limit?.code).toBe("setTimeout(() => { location.reload(); }, 60000)");
    expect(timeLimitsIn(`setTimeout(() => { ${"say(1); ".repeat(100)}location.reload() }, 60000)`)[0]?.code).toHaveLength(120);
  });

  it("are found in time in huge scripts", () => {
    const begun = performance.now();
    timeLimitsIn("setTimeout(".repeat(50_000));
    timeLimitsIn(`setTimeout(function(){${"a(".repeat(2_000)}`.repeat(100));
    timeLimitsIn("x=1;".repeat(125_000) + "setTimeout(x,x)".repeat(400));
    timeLimitsIn(`function a(){${" ".repeat(3_900)}}` + "setTimeout(() => { a() }, 60000);".repeat(10_000));
    timeLimitsIn(Array.from({ length: 5_000 }, (_, n) => `setTimeout(f${n}, t${n});`).join("") + "f1 = (".repeat(50_000));
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
