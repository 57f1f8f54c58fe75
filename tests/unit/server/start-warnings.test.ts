import { expect, onTestFinished, test, vi } from "vitest";
import { readEnv } from "~/platform/env.server";
import { startWarnings } from "~/server/process/start-warnings.server";

test.each([
  [0, true],
  [1_000, false],
])("the start as user %i says whether the browser has a sandbox", (uid, isWarned) => {
  const getuid = vi.spyOn(process, "getuid").mockReturnValue(uid);
  onTestFinished(() => getuid.mockRestore());
  const warnings = startWarnings(readEnv({}), []);
  expect(warnings.filter((warning) => warning.includes("sandbox"))).toEqual(isWarned ? ["the browser runs without its sandbox, as this program runs as root: run it as another user"] : []);
});
