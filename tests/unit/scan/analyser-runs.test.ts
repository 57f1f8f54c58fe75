import { afterEach, describe, expect, it } from "vitest";
import { takeFinished } from "~/scan/rules/analyser-runs";
import type { AxeOptions } from "~/scan/rules/axe-options";

const globals = globalThis as unknown as { axe?: unknown; analyser?: unknown };
const ASKED = { runOnly: { type: "rule", values: ["image-alt", "target-size"] } };
const EARLIER = { results: [{ id: "image-alt" }], frames: [] };

/** State of a page in which rules have run before. @param finished ids of the finished rules of the last run */
function analyserOf(context: object | undefined, finished: string[]) {
  const analyser = { context, finished: new Map(finished.map((id) => [id, { id }])), unfinished: new Set<string>(), inner: [], partials: [EARLIER] };
  const rules = ["image-alt", "target-size", "label"].map((id) => ({ id }));
  const ruleShouldRun = ({ id }: { id: string }, _context: object, options: AxeOptions) => (options as unknown as typeof ASKED).runOnly.values.includes(id);
  Object.assign(globals, { analyser, axe: { _audit: { rules }, utils: { ruleShouldRun } } });
  return analyser;
}


afterEach(() => {
  delete globals.axe;
  delete globals.analyser;
});

describe("rules of an interrupted run", () => {
  it("have their results if they are finished, and are named otherwise", () => {
    const analyser = analyserOf({}, ["image-alt", "label"]);
    takeFinished(ASKED as unknown as AxeOptions, false);
    expect(analyser.partials).toEqual([{ results: [{ id: "image-alt" }], frames: [] }]);
    expect([...analyser.unfinished]).toEqual(["target-size"]);
  });

  it("are all named if no run has begun, and have no result of an earlier one", () => {
    const analyser = analyserOf(undefined, []);
    takeFinished(ASKED as unknown as AxeOptions, false);
    expect(analyser.partials).toEqual([{ results: [], frames: [] }]);
    expect([...analyser.unfinished]).toEqual(["image-alt", "target-size"]);
  });
});
