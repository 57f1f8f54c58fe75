import { randomBytes, randomInt } from "node:crypto";
import type { Db } from "db/schema";
import type { Locale } from "~/platform/i18n/i18n";
import { openFormBrowser, type Answer, type FormBrowser, type Page } from "../browser/form-browser";
import { mailTo } from "../servers/outbox";
import type { TestServer } from "../servers/server";

export interface Person {
  name: string;
  email: string;
  password: string;
}

/** New, unique person. */
export function newPerson(known: Partial<Person> = {}): Person {
  const id = randomBytes(6).toString("hex");
  return { name: "Ada Beispiel", email: `ada-${id}@example.org`, password: `ein langer Satz ${id}`, ...known };
}

/** Person with a name and address of maximum length and few positions for line breaks. */
export function newPersonWithLongNames(): Person {
  const { email, password } = newPerson();
  const [local = "", domain = ""] = email.split("@");
  const long = "w".repeat(40);
  return { name: `Maximiliane${long}${long}`, email: `${local}${long}@${long}.${long}.${domain}`, password };
}

/** Random client address: rate limits per address must not depend on other tests. */
export function randomClientAddress(): Record<string, string> {
  return { "X-Forwarded-For": ["198", ...Array.from({ length: 3 }, () => randomInt(1, 255))].join(".") };
}

/** Sends the registration form. */
export function register(browser: FormBrowser, { ...person }: Person): Promise<Answer> {
  return browser.post("/register", person);
}

/** Sends the sign-in form. */
export function signIn(browser: FormBrowser, { email, password }: Pick<Person, "email" | "password">, returnTo?: string): Promise<Answer> {
  return browser.post("/login", { email, password, ...(returnTo !== undefined && { returnTo }) });
}

/** Sends a form after the session has ended, and signs in again, as its answer requests. @returns the next page */
export async function sendSignedOut(member: Member, path: string, fields: Record<string, string>): Promise<Page> {
  member.cookies.delete("session");
  const login = await member.submit(path, fields);
  const returnTo = login.url.searchParams.get("returnTo") ?? "";
  return member.submit(`${login.url.pathname}${login.url.search}`, { ...member.person, returnTo });
}

/** Signed-in user with an account and a browser. */
export interface Member extends FormBrowser {
  id: string;
  person: Person;
  /** Cookie header such as `session=…`, for another browser. */
  cookie: string;
}

export interface NewMember {
  person?: Person;
  language?: Locale;
  /** Headers of every request, besides those of language and address. */
  headers?: Record<string, string>;
}

/** Guest with a separate client address. */
export function visitorOf({ origin }: { origin: string }, { language = "de", headers }: Omit<NewMember, "person"> = {}): FormBrowser {
  return openFormBrowser(origin, { "Accept-Language": language, ...randomClientAddress(), ...headers });
}

/** New user, signed in by registration. */
export async function newMember(server: { origin: string }, { person = newPerson(), ...more }: NewMember = {}): Promise<Member> {
  const browser = visitorOf(server, more);
  return memberWith(browser, person, await register(browser, person));
}

/** New administrator of the installation. */
export async function newAdministrator(server: Pick<TestServer, "origin" | "database">, more: NewMember = {}): Promise<Member> {
  const member = await newMember(server, more);
  await makeAdministrator(await server.database(), member.id);
  return member;
}

export async function makeAdministrator(db: Db, userId: string): Promise<void> {
  await db.updateTable("user").set({ administrator: 1 }).where("id", "=", userId).execute();
  await giveSecondFactor(db, userId);
}

/** Adds an authenticator app with an unknown secret: the current session needs no code. */
export async function giveSecondFactor(db: Db, userId: string): Promise<void> {
  await db.insertInto("code_app").values({ user_id: userId, secret: "", last_step: 0, created_at: Date.now(), confirmed_at: Date.now() }).execute();
}

/** User who signs in with another browser. */
export async function signedIn(server: { origin: string }, person: Person, more: Omit<NewMember, "person"> = {}): Promise<Member> {
  const browser = visitorOf(server, more);
  return memberWith(browser, person, await signIn(browser, person));
}

async function memberWith(browser: FormBrowser, person: Person, { status, text }: Answer): Promise<Member> {
  const session = browser.cookies.get("session");
  if (status !== 303 || session === undefined) throw new Error(`${person.email} could not sign in (${status}): ${text.slice(0, 200)}`);
  const { user } = JSON.parse((await browser.get("/account/export")).text) as { user: { id: string } };
  return { ...browser, id: user.id, person, cookie: `session=${session}` };
}

/** Confirms a user's address by the link in the mail. */
export async function confirmAddress({ person, post }: Member, { dataDir }: { dataDir: string }): Promise<Answer> {
  return post("/account/verify", { token: (await mailTo(dataDir, person.email, "verify")).token });
}

/** Creates an access token by the form, and reads it from the next page. @param fields such as its scopes */
export async function newToken(browser: FormBrowser, fields: Record<string, string>): Promise<string> {
  const { status, location } = await browser.post("/profile/tokens/new", { name: "Webshop", lifetime: "90", ...fields });
  const [token] = /rampe_[\w-]{43}/.exec((await browser.get("/profile/tokens")).text) ?? [];
  if (location !== "/profile/tokens" || token === undefined) throw new Error(`There is no token: the form was answered with ${status}.`);
  return token;
}
