import { expect, test } from "vitest";
import { createPasswordQueue, queueEntryOf } from "~/accounts/passwords/password-queue.server";
import type { QueueEntry } from "~/accounts/passwords/passwords";
import { TooBusy } from "~/accounts/sign-in-errors";

const from = (address: string) => queueEntryOf({ email: "somebody@example.org", address, browser: null });
const inBrowser = (browser: string, email = "somebody@example.org", address = "192.0.2.1") => queueEntryOf({ email, address, browser });

/** Finished tasks, in order; the first one blocks the queue until `go` is called. */
function busyQueue(mostWaiting?: number) {
  const queue = createPasswordQueue({ mostWaiting });
  const done: string[] = [];
  let go = () => {};
  const first = queue(inBrowser("somebody"), () => new Promise<void>((resolve) => (go = resolve)));
  const enter = (name: string, turn: QueueEntry) =>
    queue(turn, async () => void done.push(name)).catch((error: unknown) => {
      expect(error).toBeInstanceOf(TooBusy);
      done.push(`${name} refused`);
    });
  return { done, enter, go: () => (go(), first) };
}

test("six log-ins are checked although twelve addresses have six wrong ones each in the queue", async () => {
  const { done, enter, go } = busyQueue();
  const attack = Array.from({ length: 72 }, (_, index) => enter("attack", from(`198.51.${Math.floor(index / 6)}.7`)));
  const people = Array.from({ length: 6 }, (_, index) => enter(`person ${index}`, from(`192.0.${index}.1`)));
  await go();
  await Promise.all([...attack, ...people]);
  expect(done.filter((name) => name.startsWith("person")).sort()).toEqual(Array.from({ length: 6 }, (_, index) => `person ${index}`));
  // One turn for each network that was waiting before.
  expect(done.filter((name) => !name.endsWith("refused")).indexOf("person 0")).toBeLessThanOrEqual(12);
});

test("a known browser, a registration and a reset have their own queue lanes, which take turns", async () => {
  const { done, enter, go } = busyQueue();
  const attack = Array.from({ length: 500 }, (_, index) => enter("attack", from(`198.${index % 250}.${Math.floor(index / 250)}.7`)));
  const others = [
    enter("known", inBrowser("her laptop")),
    enter("register", queueEntryOf({ email: "somebody@example.org", address: "198.1.1.7", browser: null }, "register")),
    enter("reset", queueEntryOf({ email: "somebody@example.org", address: "198.1.1.7", browser: null }, "reset")),
  ];
  await go();
  await Promise.all([...attack, ...others]);
  const served = done.filter((name) => !name.endsWith("refused"));
  expect(served.length).toBe(63);
  for (const name of ["known", "register", "reset"]) expect(served.indexOf(name), name).toBeLessThanOrEqual(6);
});

test("a network with many addresses gets one turn per round, and its addresses take turns", async () => {
  const { done, enter, go } = busyQueue();
  const all = [
    ...Array.from({ length: 6 }, () => enter("a1", from("2001:db8:a:1::1"))),
    ...Array.from({ length: 2 }, () => enter("a2", from("2001:db8:a:2::1"))),
    ...Array.from({ length: 3 }, () => enter("b", from("2001:db8:b::1"))),
  ];
  await go();
  await Promise.all(all);
  expect(done).toEqual(["a1", "b", "a2", "b", "a1", "b", "a2", "a1", "a1", "a1", "a1"]);
});

test("the network that fills the queue gives way to others, which do not displace each other", async () => {
  const { done, enter, go } = busyQueue(6);
  const all = [
    ...Array.from({ length: 6 }, () => enter("many", from("192.0.2.1"))),
    ...Array.from({ length: 6 }, (_, index) => enter(`one ${index}`, from(`198.51.${index}.1`))),
  ];
  await go();
  await Promise.all(all);
  const refused = done.filter((name) => name.endsWith("refused"));
  expect(refused.filter((name) => name === "many refused")).toHaveLength(5);
  expect(refused).toEqual(expect.arrayContaining(["one 5 refused"]));
  expect(refused).toHaveLength(6);
});

test("one client network has at most six passwords in the queue", async () => {
  const { done, enter, go } = busyQueue();
  const all = Array.from({ length: 8 }, () => enter("one", from("192.0.2.1")));
  await go();
  await Promise.all(all);
  expect(done.filter((name) => name === "one")).toHaveLength(6);
});

test("the queue continues after a failed task", async () => {
  const queue = createPasswordQueue();
  const failed = queue(from("192.0.2.1"), () => Promise.reject(new Error("broken")));
  const next = queue(from("192.0.2.2"), async () => "done");
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("done");
  expect(await queue(from("192.0.2.3"), async () => "idle again")).toBe("idle again");
});

test("twelve addresses of one network that fill the queue give way to a neighbour", async () => {
  const { done, enter, go } = busyQueue();
  const attack = Array.from({ length: 72 }, (_, index) => enter("attack", from(`198.51.100.${Math.floor(index / 6)}`)));
  const neighbour = enter("neighbour", from("198.51.100.200"));
  await go();
  await Promise.all([...attack, neighbour]);
  expect(done).toContain("neighbour");
});

test("one account in many browsers, or many accounts of one network, cannot fill the lane of known browsers", async () => {
  const { done, enter, go } = busyQueue();
  const browsers = Array.from({ length: 100 }, (_, index) => enter("mallory", inBrowser(`browser ${index}`, "mallory@example.org", `10.${index}.0.1`)));
  const accounts = Array.from({ length: 100 }, (_, index) => enter("many", inBrowser(`other ${index}`, `many${index}@example.org`, "203.0.113.1")));
  const people = Array.from({ length: 10 }, (_, index) => enter("person", inBrowser(`laptop ${index}`, `person${index}@example.org`, `192.0.${index}.1`)));
  await go();
  await Promise.all([...browsers, ...accounts, ...people]);
  expect(done.filter((name) => name === "person")).toHaveLength(10);
});
