import { expect, test } from "vitest";
import { createCoalescingRunner } from "~/platform/async/mutex";

test("tasks of one key never run at once, whenever they are asked for", async () => {
  const run = createCoalescingRunner();
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    running -= 1;
  };
  const first = run("key", work);
  const all = [first, run("key", work)];
  // Each moment around the end of the first task.
  for (let turn = 0; turn < 30; turn += 1) {
    all.push(run("key", work));
    await Promise.resolve();
  }
  await Promise.all(all);
  expect(most).toBe(1);
});

test("calls during a task share the next one, which begins after it", async () => {
  const run = createCoalescingRunner();
  const order: string[] = [];
  let finish = () => {};
  const first = run("key", () => new Promise<void>((resolve) => (finish = resolve)).then(() => void order.push("first")));
  const others = ["second", "third"].map((name) => run("key", async () => void order.push(name)));
  finish();
  await Promise.all([first, ...others]);
  expect(order).toEqual(["first", "second"]);
});
