import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { archiveName, newestArchive, removeLeftovers, rotateArchives } from "~/administration/backup/archive-folder.server";
import { isDue, startNightlyBackups } from "~/administration/backup/nightly-backups.server";
import { freshFolder } from "../../support/servers/fresh-folder";

const namesIn = (folder: string) => readdirSync(folder).sort();

describe("a folder of archives", () => {
  const DAY = 86_400_000;
  const NOON = Date.UTC(2026, 10, 27, 12, 30, 15);

  test("keeps the newest ones, and whatever else is in it", async () => {
    const folder = freshFolder();
    const names = [0, 1, 2, 3].map((days) => archiveName(NOON - days * DAY, days % 2 === 1));
    for (const name of [...names, "notes.txt", "rampe-of-hand.tar.gz"]) writeFileSync(path.join(folder, name), "");
    expect(await newestArchive(folder, NOON)).toBe(NOON);
    expect(await rotateArchives(folder, { keep: 2, made: names[0] ?? "", now: NOON })).toEqual(names.slice(2));
    expect(namesIn(folder)).toEqual([...names.slice(0, 2), "notes.txt", "rampe-of-hand.tar.gz"].sort());
    expect(await newestArchive(freshFolder())).toBeNull();
  });

  test("does not count archives of the future, which a wrong clock made", async () => {
    const folder = freshFolder();
    const [made = "", old = "", soon = "", future = ""] = [0, -DAY, 3_500_000, DAY].map((ms) => archiveName(NOON + ms, false));
    for (const name of [made, old, future]) writeFileSync(path.join(folder, name), "");
    expect(await newestArchive(folder, NOON)).toBe(NOON);
    expect(await rotateArchives(folder, { keep: 2, made, now: NOON })).toEqual([]);
    writeFileSync(path.join(folder, soon), "");
    expect(await rotateArchives(folder, { keep: 1, made, now: NOON }), "the one just made is not the newest").toEqual([soon, old]);
    expect(namesIn(folder)).toEqual([made, future]);
  });

  test("loses what a killed backup left, but not what one at work writes", async () => {
    const [dataDir, folder] = [freshFolder(), freshFolder()];
    for (const place of [path.join(dataDir, ".backup-old"), path.join(dataDir, ".backup-new")]) mkdirSync(place);
    const [left, atWork] = [`${archiveName(NOON, false)}.1.part`, `${archiveName(NOON, true)}.2.part`];
    for (const name of [left, atWork, "rampe-film.part"]) writeFileSync(path.join(folder, name), "");
    const old = new Date(Date.now() - 2 * DAY);
    for (const place of [path.join(dataDir, ".backup-old"), path.join(folder, left), path.join(folder, "rampe-film.part")]) utimesSync(place, old, old);
    await removeLeftovers(dataDir, path.join(folder, archiveName(NOON + DAY, false)));
    expect([...namesIn(dataDir), ...namesIn(folder)]).toEqual([".backup-new", atWork, "rampe-film.part"]);
  });
});

describe("nightly backups", () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 10).getTime();

  test("are due at night, or at once if the newest is older than a day", () => {
    expect(isDue(null, at(27, 15))).toBe(true);
    expect(isDue(at(26, 3), at(27, 3))).toBe(true);
    expect(isDue(at(26, 3), at(27, 2)), "a night does not drift into the day").toBe(true);
    expect(isDue(at(26, 15), at(26, 23))).toBe(false);
    expect(isDue(at(26, 14), at(27, 3))).toBe(true);
    expect(isDue(at(27, 3), at(27, 4)), "one a night").toBe(false);
    expect(isDue(at(26, 3), at(27, 2)) && isDue(at(25, 3), at(26, 9))).toBe(true);
  });

  test("a failure is told and shows, until one succeeds", async () => {
    const errors: unknown[] = [];
    let made = 0;
    let isFull = true;
    const clock = Date.now;
    onTestFinished(() => void (Date.now = clock));
    const make = async () => {
      if (isFull) throw new Error("no space");
      made += 1;
    };
    const backups = startNightlyBackups({ newest: async () => (made > 0 ? Date.now() : null), make, onError: (error) => errors.push(error), everyMs: 5 });
    await expect.poll(backups.state).toBe("failed");
    isFull = false;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([made, errors.length, backups.state()], "the next attempt is an hour later").toEqual([0, 1, "failed"]);
    Date.now = () => clock() + 3_600_001;
    await expect.poll(backups.state).toBe("ok");
    await backups.stop();
    expect([made, errors.length]).toEqual([1, 1]);
  });

  test("a folder that was away for a time is no failure any more once it is back", async () => {
    let isAway = true;
    const clock = Date.now;
    onTestFinished(() => void (Date.now = clock));
    const newest = () => (isAway ? Promise.reject(new Error("no such folder")) : Promise.resolve(Date.now()));
    const backups = startNightlyBackups({ newest, make: () => Promise.reject(new Error("nothing is due")), onError: () => {}, everyMs: 5 });
    onTestFinished(() => backups.stop());
    await expect.poll(backups.state).toBe("failed");
    isAway = false;
    Date.now = () => clock() + 3_700_000;
    await expect.poll(backups.state).toBe("ok");
  });
});
