import { afterAll, beforeAll, expect, test } from "vitest";
import { calendarDay } from "~/platform/i18n/calendar-date";
import { newMember, visitorOf, type Member } from "../../support/accounts/accounts";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage, element, finding, uncheckedPage } from "../../support/database/page-results";
import { startServer, type TestServer } from "../../support/servers/server";

const ANSWERS = {
  service: "Teekiste",
  operator: "Teekiste GmbH",
  contact: "hilfe@teekiste.example",
  description: "Wir verkaufen <Tee>.",
  date: calendarDay(Date.now()),
  language: "de",
};

let server: TestServer;
let ada: Member;
let eve: Member;
let statement: string;

beforeAll(async () => {
  server = await startServer({ browser: false, env: { BILLING: "off" } });
  [ada, eve] = await Promise.all([newMember(server), newMember(server)]);
  const found = [checkedPage(), uncheckedPage({ url: "https://shop.example/weg" })];
  const { id } = await finishedRun(await server.database(), found, { owner: ada.id, at: Date.now() });
  statement = `/run/${id}/statement`;
});

afterAll(() => server.stop());

const withAnswers = (ending: string, answers: Partial<typeof ANSWERS> = {}) =>
  `${statement}${ending}?${new URLSearchParams({ ...ANSWERS, ...answers }).toString()}`;

test("a draft is made from a scan and a few answers, as a page, HTML and text, in either language", async () => {
  expect((await ada.get(statement)).status).toBe(200);
  const { text: html } = await ada.get(withAnswers(""));
  expect(html).toContain("Informationen zur Barrierefreiheit: Teekiste");
  expect(html).toContain("1.1.1 Nicht-Text-Inhalt");

  const file = await ada.get(withAnswers(".html"));
  expect(file.headers.get("content-disposition")).toBe('attachment; filename="barrierefreiheit.html"');
  expect(file.text).toContain("Wir verkaufen &lt;Tee&gt;.");
  const plain = await ada.get(withAnswers(".txt", { language: "en" }));
  expect(plain.headers.get("content-type")).toContain("text/plain");
  expect(plain.text).toContain("Accessibility information: Teekiste");
  expect(plain.text).toContain("- 1 page that could not be checked");
});

test("a draft cannot be older than its scan", async () => {
  const { status, text } = await ada.get(withAnswers("", { date: "2020-02-29" }));
  expect(status).toBe(422);
  expect(text).toContain('href="#date"');
  expect(text).toContain('value="2020-02-29"');
});

test("a day as Germans write it stays in its field", async () => {
  const today = calendarDay(Date.now()).split("-").toReversed().join(".");
  const { status, text } = await ada.get(withAnswers("", { date: today }));
  expect(status).toBe(200);
  expect(text).toMatch(new RegExp(`<input[^>]*id="date"[^>]*>`));
  const [field = ""] = /<input[^>]*id="date"[^>]*>/.exec(text) ?? [];
  expect([field.includes(`value="${today}"`), field.includes('type="text"')]).toEqual([true, true]);
});

test("missing answers are named, and there is no file without them", async () => {
  const { text } = await ada.get(withAnswers("", { contact: "" }));
  expect(text).toContain('href="#contact"');
  expect(text).toMatch(/<title>Fehler: /);
  expect(text).toContain('value="Teekiste"');
  const file = await ada.get(withAnswers(".txt", { contact: "" }));
  expect([file.status, file.location?.startsWith(`${statement}?`)]).toEqual([303, true]);
});

test("an element that a person judged as a problem is a known defect, not an open question", async () => {
  const question = finding("color-contrast", { tags: ["wcag2aa", "wcag143"], elementCount: 1, elements: [element()] });
  const { findings, ...page } = checkedPage();
  const { id } = await finishedRun(await server.database(), [{ ...page, findings: { ...findings, incomplete: [question] } }], {
    owner: ada.id,
    at: Date.now(),
  });
  const partWith = async (criterion: string) => {
    const { text } = await ada.get(`/run/${id}/statement.txt?${new URLSearchParams(ANSWERS).toString()}`);
    return text.split(/\n(?=[^\n]+\n[=-]{3,}\n)/).find((part) => part.includes(criterion))?.split("\n")[0];
  };
  expect(await partWith("1.4.3")).toBe("Noch von Menschen zu beurteilen");
  const [, group = ""] = /name="group" value="([^"]+)"/.exec((await ada.get(`/run/${id}/review`)).text) ?? [];
  const answered = await ada.post(`/run/${id}/review`, { rule: "color-contrast", group, "answer-0": "problem" });
  expect(answered.status).toBe(303);
  expect(await partWith("1.4.3")).toBe("Bekannte Mängel");
});

test("another user's run is reported like a missing one", async () => {
  for (const ending of ["", ".html", ".txt"]) expect((await eve.get(withAnswers(ending))).status).toBe(404);
  const guest = await visitorOf(server).get(withAnswers(".txt"));
  expect(guest.location).toContain("/login");
});
