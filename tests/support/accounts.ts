import { randomBytes, randomInt } from "node:crypto";

export interface Person {
  name: string;
  email: string;
  password: string;
}

/** A new, unique person. */
export function somebody(): Person {
  const id = randomBytes(6).toString("hex");
  return { name: "Ada Beispiel", email: `ada-${id}@example.org`, password: `ein langer Satz ${id}` };
}

/** A person with a name and address of maximum length and few places for line breaks. */
export function somebodyLong(): Person {
  const { email, password } = somebody();
  const [local = "", domain = ""] = email.split("@");
  const long = "w".repeat(40);
  return { name: `Maximiliane${long}${long}`, email: `${local}${long}@${long}.${long}.${domain}`, password };
}

/** A random client address: rate limits per address must not depend on other tests. */
export function fromElsewhere(): Record<string, string> {
  return { "X-Forwarded-For": ["198", ...Array.from({ length: 3 }, () => randomInt(1, 255))].join(".") };
}

/** Creates an account and signs in, like the form. @returns the cookie, such as `session=…` */
async function register(origin: string, { ...person }: Person, headers: Record<string, string> = {}): Promise<string> {
  return sessionOf(await post(origin, "/register", person, headers), `${person.email} could not register.`);
}

/** Signs in, like the form. @returns the cookie, such as `session=…` */
export async function signIn(origin: string, { email, password }: Person, headers: Record<string, string> = {}): Promise<string> {
  return sessionOf(await post(origin, "/login", { email, password }, headers), `${email} could not sign in.`);
}

function sessionOf(answer: Response, otherwise: string): string {
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0] ?? "")
    .find((each) => each.startsWith("session="));
  if (answer.status !== 303 || !cookie) throw new Error(otherwise);
  return cookie;
}

/** Registers a person and signs in. @returns the cookie */
export async function join(origin: string, person: Person, headers: Record<string, string> = {}): Promise<string> {
  return register(origin, person, { ...fromElsewhere(), ...headers });
}

/** Sends a form without a browser. */
export function post(
  origin: string,
  address: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${origin}${address}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
    headers: { ...fromElsewhere(), ...headers },
  });
}
