import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { expect, test } from "vitest";
import { createEvidenceQuota } from "~/findings/evidence-quota.server";
import { contextParts } from "~/findings/element-context-words";
import { storePicture } from "~/findings/evidence.server";
import { contrastRatio, parseHex } from "~/findings/fixes/color";
import { createKeyboardWalks } from "~/findings/keyboard-walk.server";
import { textsOf } from "~/platform/i18n/i18n.server";
import { ClosedDialogs } from "~/reports/keyboard/closed-dialogs";
import { WalkPicture } from "~/reports/keyboard/walk-picture";
import { stopsInPicture } from "~/reports/keyboard/walk-view";
import { loader as numbered } from "~/routes/report/pictures/keyboard-numbered";
import type { KeyboardWalk } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { addUsers, finishedRun } from "../../support/database/finished-runs";
import { checkedPage } from "../../support/database/page-results";
import { sharedContext } from "../../support/reports/shared-report";

const box = { x: 10, y: 20, width: 30, height: 40 };
const link = (name: string) => ({ name, role: "link", box });
const walk = (more: Partial<KeyboardWalk> = {}): KeyboardWalk => ({ stops: [link("Home")], count: 1, isWhole: true, picture: { image: Buffer.from("drawn"), width: 1280, height: 900 }, ...more });

async function setUp(...walks: KeyboardWalk[]) {
  const db = await freshDatabase();
  await addUsers(db, "ada");
  const pages = walks.map((each, index) => checkedPage({ url: `https://shop.example/${index}`, walk: each }));
  const run = await finishedRun(db, [...pages, checkedPage({ url: "https://shop.example/none" })]);
  const walked = createKeyboardWalks({ db });
  return { db, run, walked, ids: await walked.pagesWithWalk(run.id) };
}

const bytesOf = async (db: Awaited<ReturnType<typeof freshDatabase>>) => (await db.selectFrom("run").select("evidence_bytes").executeTakeFirstOrThrow()).evidence_bytes;

test("a walk and its picture are read with their own run alone", async () => {
  const { run, walked, ids } = await setUp(walk());
  expect(ids).toHaveLength(1);
  const [id = 0] = ids;
  expect(await walked.ofPage(run.id, id)).toEqual({ stops: [link("Home")], count: 1, isWhole: true, picture: { width: 1280, height: 900 } });
  expect(Buffer.from((await walked.picture(run.id, id)) ?? []).toString()).toBe("drawn");
  expect(await walked.ofPage("other", id)).toBeUndefined();
  expect(await walked.picture("other", id)).toBeUndefined();
});

test("what comes back from a page is limited and made harmless", async () => {
  const stops = Array.from({ length: 500 }, () => ({ name: "\u202Ename".padEnd(9_000, "x"), role: "r".repeat(9_000), box: { x: -5, y: NaN, width: Infinity, height: 1.6 }, closed: Array.from({ length: 50 }, () => "\u202Ebox".padEnd(9_000, "x")) }));
  const { db, run, walked, ids } = await setUp(walk({ stops, count: 1e9 }));
  const stored = await walked.ofPage(run.id, ids[0] ?? 0);
  expect(stored?.stops).toHaveLength(200);
  expect(stored?.stops[0]?.name).toMatch(/^⟨U\+202E⟩namex+…$/);
  expect(stored?.stops[0]?.closed).toEqual(Array.from({ length: 5 }, () => expect.stringMatching(/^⟨U\+202E⟩boxx+…$/) as string));
  expect(stored?.stops[0]?.box).toEqual({ x: 0, y: 0, width: 20_000, height: 2 });
  expect(stored?.count).toBe(20_000);
  expect(await bytesOf(db)).toBeLessThan(100_000);
});

test("a walk counts as evidence; its picture goes first, the list with the rest", async () => {
  const many = Array.from({ length: 200 }, (_, index) => link(`Entry ${index}`));
  const image = Buffer.alloc(300_000, "x");
  const { db, run, walked, ids } = await setUp(walk({ stops: many, picture: { image, width: 1280, height: 900 } }));
  const [id = 0] = ids;
  const before = await bytesOf(db);
  expect(before).toBeGreaterThan(310_000);
  // Requests a new measurement.
  await db.updateTable("run").set({ evidence_bytes: -1 }).execute();
  await createEvidenceQuota({ db, maxBytes: 1e9 }).enforce();
  expect(await bytesOf(db)).toBe(before);

  await createEvidenceQuota({ db, maxBytes: 100_000 }).enforce();
  expect(await walked.picture(run.id, id)).toBeUndefined();
  expect(await walked.ofPage(run.id, id)).toMatchObject({ picture: null, count: 1 });
  await createEvidenceQuota({ db, maxBytes: 10 }).enforce();
  expect(await walked.ofPage(run.id, id)).toBeUndefined();
});

test("pictures of walks leave room for those of elements", async () => {
  const { db, run } = await setUp(walk());
  const store = (share: number) => db.transaction().execute((trx) => storePicture(trx, run.id, Buffer.from(`picture ${share}`), share));
  expect((await store(0.5)).bytes).toBeGreaterThan(0);
  expect(await store(0)).toEqual({ hash: null, bytes: 0 });
});

test("marks stay in the picture; what is not drawn or lies below has none", () => {
  const at = (x: number, y: number) => ({ ...link("x"), box: { ...box, x, y } });
  const shown = stopsInPicture({ stops: [at(0, 0), { ...link("unseen"), box: null }, at(1279, 895), at(10, 900)], count: 4, isWhole: true, picture: { width: 1280, height: 900 } });
  expect(shown.map(({ number, x, y }) => [number, x, y])).toEqual([[1, 17, 17], [3, 1263, 883]]);
});

test("the picture is to be had in full size, with its numbers and the way of the focus, also without scripts", async () => {
  const { db, run, walked, ids } = await setUp(walk({ stops: [link("Home"), link("Cart")], count: 2 }));
  const [id = 0] = ids;
  const stored = (await walked.ofPage(run.id, id))!;
  const page = renderToStaticMarkup(
    <I18nextProvider i18n={textsOf("en")}>
      <WalkPicture walk={stored} picture={stored.picture!} src="/picture" />
    </I18nextProvider>,
  );
  expect(page).toMatch(/<a class="picture-link" href="\/picture\/numbered">.*Enlarge/);

  const answer = (await numbered(sharedContext(db, run, { params: { page: String(id) } }))) as Response;
  const drawn = await answer.text();
  expect(answer.headers.get("Content-Type")).toBe("image/svg+xml; charset=utf-8");
  expect(drawn).toContain(`href="data:image/webp;base64,${Buffer.from("drawn").toString("base64")}"`);
  expect(drawn).toMatch(/<svg[^>]* width="1280" height="900"/);
  expect(drawn).toContain('<polyline points="17,20 17,20"');
  expect(drawn.match(/<text/g)).toHaveLength(2);
  for (const other of ["0", "none"]) await expect(numbered(sharedContext(db, run, { params: { page: other } }))).rejects.toMatchObject({ init: { status: 404 } });
});

test("dialogs that were closed before the walk are told, and where an element is seen only since then", () => {
  const told = (locale: "en" | "de", names: string[]) =>
    renderToStaticMarkup(
      <I18nextProvider i18n={textsOf(locale)}>
        <ClosedDialogs names={names} lang="de" />
      </I18nextProvider>,
    ).replace(/<[^>]+>/g, "");
  expect(told("en", [])).toBe("");
  expect(told("en", ["Cookies"])).toBe("A dialog lay over the page at first: Cookies. The check then closed it by keyboard or with a click.");
  expect(told("de", ["Cookies", ""])).toBe("Zuerst lagen 2 Dialoge über der Seite: Cookies, ohne Namen. Die Prüfung hat sie dann mit der Tastatur oder einem Klick geschlossen.");
  expect(contextParts({ closed: "Cookies" })).toEqual([{ words: "check:place.closed", name: "Cookies" }]);
  expect(contextParts({ closed: "" })).toEqual([{ words: "check:place.closed" }]);
});

test("numbers stand on marks with the contrast of level AAA", () => {
  const css = readFileSync("app/reports/keyboard/walk.css", "utf8");
  const fillOf = (part: string) => parseHex(new RegExp(`\\.walk-picture ${part} \\{[^}]*fill: (#[0-9a-f]{6});`).exec(css)?.[1]);
  const [text, circle] = [fillOf("text"), fillOf("circle")];
  expect(text && circle && contrastRatio(text, circle)).toBeGreaterThan(7);
});
