import type { Db } from "db/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Run } from "~/runs/run";
import { finishedRun } from "../../support/database/finished-runs";
import type { Answer, FormBrowser } from "../../support/browser/form-browser";
import { newAdministrator, newMember, visitorOf, type Member } from "../../support/accounts/accounts";
import { checkedPage } from "../../support/database/page-results";
import { fillIn, PATHS } from "../../support/browser/route-paths";
import { startServer, type TestServer } from "../../support/servers/server";

/** `login`: redirect to the sign-in, then back; a path: redirect to it. */
type Outcome = number | "login" | `/${string}`;

/**
 * Answers to a guest (GET, and POST without fields), and to another user (GET). Every path has its own row; a new path without a
 * row fails.
 */
const OWN = ["login", "login", 200] as const;
const OWN_PAGE = ["login", 405, 200] as const;
const RUN_PAGE = ["login", 405, 404] as const;
const RUN_FORM = ["login", "login", 404] as const;
const RUN_ACTION = ["/run/:id", "login", "/run/:id"] as const;
const OPEN = [200, 405, 200] as const;
const OPEN_FORM = [200, 422, 200] as const;
const BY_LINK = [404, 405, 404] as const;
const PROGRAM = [401, 405, 401] as const;
const UNSET = [404, 405, 404] as const;
/** 404 for everybody except administrators; `ADMINISTRATION` has their answers. */
const HIDDEN = [404, 404, 404] as const;

const RIGHTS: Record<string, readonly [guestGet: Outcome, guestPost: Outcome, strangerGet: Outcome]> = {
  "": OPEN,
  "/pricing": ["/#pricing", 405, "/#pricing"],
  "/check/:id": BY_LINK,
  "/check/:id/events": [204, 405, 204],
  "/check/:id/picture/:rule/:position": BY_LINK,
  "/login": [200, 422, "/runs"],
  "/login/second-factor": ["/login", "/login?problem=expired", "/runs"],
  "/register": [200, 422, "/runs"],
  "/logout": ["/", "/", "/"],
  "/auth/callback": ["/login", 405, "/login"],
  "/forgot-password": OPEN_FORM,
  "/reset-password": [200, "/reset-password", 200],
  "/setup": OWN,
  "/setup/invoice": ["login", "login", "/setup"],
  "/setup/unlock": ["/setup", "login", "/setup"],
  "/setup/done": ["login", 405, "/setup"],
  "/webhooks/stripe": [405, 400, 405],
  "/websites": OWN,
  "/websites/:id": RUN_FORM,
  "/runs": OWN_PAGE,
  "/runs/new": OWN,
  "/runs/delete": OWN,
  "/runs/restore": ["/runs", "login", "/runs"],
  "/runs/schedules": OWN,
  "/runs/schedules/:id": RUN_FORM,
  "/runs/:id": ["/run/:id", 405, "/run/:id"],
  "/run/:id": RUN_PAGE,
  "/run/:id/events": [204, 405, 204],
  "/run/:id/cancel": RUN_ACTION,
  "/run/:id/mail": RUN_ACTION,
  "/run/:id/unlock": RUN_ACTION,
  "/run/:id/changes": RUN_PAGE,
  "/run/:id/history": RUN_PAGE,
  "/run/:id/review": RUN_FORM,
  "/run/:id/review/criteria": RUN_FORM,
  "/run/:id/accepted": RUN_FORM,
  "/run/:id/accept/:rule": RUN_FORM,
  "/run/:id/accept/:rule/:page/:position": RUN_FORM,
  "/run/:id/notes/:category/:rule/:page/:position": RUN_FORM,
  "/run/:id/share": RUN_FORM,
  "/run/:id/schedule": RUN_FORM,
  "/run/:id/statement": RUN_PAGE,
  "/run/:id/statement.html": RUN_PAGE,
  "/run/:id/statement.txt": RUN_PAGE,
  "/run/:id/export.json": RUN_PAGE,
  "/run/:id/export.csv": RUN_PAGE,
  "/run/:id/export.pdf": RUN_PAGE,
  "/run/:id/export.earl.json": RUN_PAGE,
  "/run/:id/export.sarif": RUN_PAGE,
  "/run/:id/criteria": RUN_PAGE,
  "/run/:id/pages": RUN_PAGE,
  "/run/:id/pages/:page/picture": RUN_PAGE,
  "/run/:id/pages/:page/picture/numbered": RUN_PAGE,
  "/run/:id/pages/:page/keyboard": RUN_PAGE,
  "/run/:id/pages/:page/keyboard/picture": RUN_PAGE,
  "/run/:id/pages/:page/keyboard/picture/numbered": RUN_PAGE,
  "/run/:id/picture/:page/:category/:rule/:position": RUN_PAGE,
  "/run/:id/:category": RUN_PAGE,
  "/run/:id/:category/:rule": RUN_PAGE,
  "/run/:id/:category/:rule/:page/:position": RUN_PAGE,
  "/profile": ["/profile/general", 405, "/profile/general"],
  "/profile/general": OWN_PAGE,
  "/profile/name": OWN,
  "/profile/email": OWN,
  "/profile/report-cover": OWN,
  "/profile/urls": OWN,
  "/profile/urls/remove": ["login", "login", "/profile/urls"],
  "/profile/billing": ["/profile/general", "login", "/profile/general"],
  "/profile/tokens": OWN,
  "/profile/tokens/new": OWN,
  "/account/verify": OWN,
  "/invitation": OPEN,
  "/account/password": OWN,
  "/account/second-factor": OWN,
  "/account/second-factor/app": ["login", "login", "/account/second-factor"],
  "/account/passkey-options": [405, 401, 405],
  "/account/second-factor/passkeys": ["login", "login", "/account/second-factor"],
  "/account/second-factor/recovery-codes": ["login", "login", "/account/second-factor"],
  "/account/second-factor/off": ["login", "login", "/account/second-factor"],
  "/account/sessions": OWN,
  "/account/export": OWN_PAGE,
  "/account/delete": OWN,
  "/admin": HIDDEN,
  "/admin/invitations": HIDDEN,
  // The page needs the link from the server's output.
  "/admin/first": [404, 404, 404],
  "/admin/people": HIDDEN,
  "/admin/people/:id": HIDDEN,
  "/admin/people/:id/delete": HIDDEN,
  "/admin/queue": HIDDEN,
  "/admin/queue/change": HIDDEN,
  "/admin/messages": HIDDEN,
  "/admin/messages/delete": HIDDEN,
  "/admin/mails": HIDDEN,
  "/admin/mails/delete": HIDDEN,
  "/admin/settings": HIDDEN,
  "/admin/audit-log": HIDDEN,
  "/admin/audit-log.csv": HIDDEN,
  "/shared/:token": BY_LINK,
  "/shared/:token/accepted": BY_LINK,
  "/shared/:token/criteria": BY_LINK,
  "/shared/:token/pages": BY_LINK,
  "/shared/:token/pages/:page/picture": BY_LINK,
  "/shared/:token/pages/:page/picture/numbered": BY_LINK,
  "/shared/:token/pages/:page/keyboard": BY_LINK,
  "/shared/:token/pages/:page/keyboard/picture": BY_LINK,
  "/shared/:token/pages/:page/keyboard/picture/numbered": BY_LINK,
  "/shared/:token/picture/:page/:category/:rule/:position": BY_LINK,
  "/shared/:token/:category": BY_LINK,
  "/shared/:token/:category/:rule": BY_LINK,
  "/shared/:token/:category/:rule/:page/:position": BY_LINK,
  "/sample": OPEN,
  "/sample/criteria": OPEN,
  "/sample/pages": OPEN,
  "/sample/pages/:page/picture": OPEN,
  "/sample/pages/:page/picture/numbered": OPEN,
  "/sample/picture/:page/:category/:rule/:position": OPEN,
  "/sample/:category": OPEN,
  "/sample/:category/:rule": OPEN,
  "/sample/:category/:rule/:page/:position": OPEN,
  "/unsubscribe/:token": [404, 404, 404],
  "/contact": OPEN_FORM,
  "/kontakt": OPEN_FORM,
  "/bfsg": OPEN,
  "/eaa": OPEN,
  "/wcag": OPEN,
  "/rules": OPEN,
  "/rules/:id": BY_LINK,
  "/bfsg/check": OPEN,
  "/bfsg/selbsttest": OPEN,
  "/api": OPEN,
  "/api/v1/runs": [401, 401, 401],
  "/api/v1/runs/:id": PROGRAM,
  "/api/v1/runs/:id/cancel": [405, 401, 405],
  "/api/v1/runs/:id/acceptances": [401, 401, 401],
  "/api/v1/acceptances/:id": [405, 405, 405],
  "/api/v1/runs/:id/:file": PROGRAM,
  "/api/v1/schedules": [401, 401, 401],
  "/api/v1/schedules/:id": [405, 405, 405],
  "/api/*": [404, 404, 404],
  "/sitemap.xml": OPEN,
  "/robots.txt": OPEN,
  "/metrics": UNSET,
  "/locale": ["/", 422, "/"],
  "/color-scheme": ["/", 422, "/"],
  "/terms": UNSET,
  "/agb": UNSET,
  "/withdrawal": UNSET,
  "/widerruf": UNSET,
  "/imprint": OPEN,
  "/impressum": OPEN,
  "/privacy": OPEN,
  "/datenschutz": OPEN,
  "/accessibility": OPEN,
  "/barrierefreiheit": OPEN,
  "/*": [404, 404, 404],
};

/** Answers to an administrator: GET, and POST without fields. */
const ADMINISTRATION: Record<string, readonly [get: Outcome, post: Outcome]> = {
  "/admin": ["/admin/people", 405],
  "/admin/invitations": [200, 422],
  "/admin/people": [200, 405],
  "/admin/people/:id": [200, 422],
  "/admin/people/:id/delete": [200, 422],
  "/admin/queue": [200, 405],
  "/admin/queue/change": [200, 404],
  "/admin/messages": [200, 405],
  "/admin/messages/delete": [404, "/admin/messages"],
  "/admin/mails": [200, "/admin/mails"],
  "/admin/mails/delete": [404, "/admin/mails"],
  "/admin/settings": [200, 405],
  "/admin/audit-log": [200, 405],
  "/admin/audit-log.csv": [200, 405],
};

let server: TestServer;
let db: Db;
let ada: Member;
let eve: Member;
let bea: Member;
let zoe: Member;
/** An administrator who signed in two hours ago. */
let yan: Member;
/** An administrator without a second factor. */
let sam: Member;
/** Disabled administrator with an earlier session. */
let dis: Member;
let run: Run;

beforeAll(async () => {
  server = await startServer({ env: { BILLING: "demo", TRIAL_SCANS: "1", TRUST_PROXY: "1" } });
  db = await server.database();
  [ada, eve, bea] = await Promise.all([newMember(server), newMember(server), newMember(server)]);
  await db.updateTable("session").set({ expires_at: Date.now() - 1 }).where("user_id", "=", bea.id).execute();
  [zoe, yan] = await Promise.all([newAdministrator(server), newAdministrator(server)]);
  await db.updateTable("session").set({ created_at: Date.now() - 2 * 3_600_000 }).where("user_id", "=", yan.id).execute();
  [sam, dis] = await Promise.all([newAdministrator(server), newAdministrator(server)]);
  await db.deleteFrom("code_app").where("user_id", "=", sam.id).execute();
  await db.updateTable("user").set({ disabled_at: Date.now() }).where("id", "=", dis.id).execute();
  run = await finishedRun(db, [checkedPage({})], { owner: ada.id, at: Date.now() });
});

afterAll(() => server.stop());

const values = () => ({ id: run.id, token: "B".repeat(43), category: "violations", rule: "image-alt", page: 1, position: 0, file: "export.json" });
const addressOf = (path: string) => fillIn(path.replace("/*", "/none"), values()) || "/";

function outcomeOf(path: string, { status, location }: Answer): Outcome {
  if (location === null) return status;
  if (location === `/login?returnTo=${encodeURIComponent(addressOf(path))}`) return "login";
  return location.replace(run.id, ":id") as `/${string}`;
}

const guest = () => visitorOf(server);

/** User with an expired session. */
function expired(): FormBrowser {
  const browser = guest();
  for (const [name, value] of bea.cookies) browser.cookies.set(name, value);
  return browser;
}

test("the table contains exactly the routes", () => {
  expect(Object.keys(RIGHTS).sort()).toEqual([...PATHS].sort());
});

test.each(Object.entries(RIGHTS))("guests, users with an ended session, and other users are refused at %j", async (path, [guestGet, guestPost, strangerGet]) => {
  const address = addressOf(path);
  for (const open of [guest, expired]) {
    expect(outcomeOf(path, await open().get(address)), "GET").toBe(guestGet);
    expect(outcomeOf(path, await open().post(address, {})), "POST").toBe(guestPost);
  }
  if (path === "/logout") return;
  expect(outcomeOf(path, await eve.get(address)), "a stranger").toBe(strangerGet);
});

test("the tables contain every page of the administration", () => {
  expect(Object.entries(RIGHTS).flatMap(([path, rights]) => (rights === HIDDEN ? [path] : []))).toEqual(Object.keys(ADMINISTRATION));
});

test.each(Object.entries(ADMINISTRATION))("an administrator opens %j; without a recent sign-in, it asks for one", async (path, [get, post]) => {
  const address = fillIn(path, { id: ada.id });
  expect(outcomeOf(path, await zoe.get(address)), "GET").toBe(get);
  expect(outcomeOf(path, await zoe.post(address, {})), "POST").toBe(post);
  for (const answer of [await yan.get(address), await yan.post(address, {})]) {
    expect([answer.status, answer.location]).toEqual([303, `/login?returnTo=${encodeURIComponent(address)}&again=yes`]);
  }
});

test.each(Object.keys(ADMINISTRATION))("%j is the same 404 for who is no administrator, or a disabled one; without a second factor, it asks for one", async (path) => {
  const address = fillIn(path, { id: ada.id });
  for (const person of [eve, dis]) {
    expect([(await person.get(address)).status, (await person.post(address, {})).status]).toEqual([404, 404]);
  }
  for (const answer of [await sam.get(address), await sam.post(address, {})]) {
    expect([answer.status, answer.location]).toEqual([303, "/account/second-factor"]);
  }
});
