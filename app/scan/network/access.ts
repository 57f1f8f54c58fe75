import type { Protocol } from "puppeteer";
import type { Egress } from "./egress";
import type { Tab } from "~/scan/page/tab";
import type { Access } from "~/scan/types";
import { targetOf } from "./web-address";

/** Credentials for one origin, sent to no other. */
export type OriginAccess = Access & {
  /** Origin in `URL` notation. */
  origin: string;
};

/** Headers for a request to this address: the credentials if it has that origin, else none. */
export function accessHeaders(access: OriginAccess | undefined, url: string): Record<string, string> {
  if (!access || new URL(url).origin !== access.origin) return {};
  if (access.kind === "basic") {
    const { user, password } = access;
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
  }
  const cookies = cookiesOf(access.cookie).map(({ name, value }) => `${name}=${value}`);
  return cookies.length > 0 ? { cookie: cookies.join("; ") } : {};
}

/** Gives a tab access to the origin. Call it before navigation. */
export async function presentAccess(tab: Tab, egress: Egress, access: OriginAccess): Promise<void> {
  if (access.kind === "basic") await answerChallenges(tab, access);
  else await grantCookies(tab, egress, access.origin, cookiesOf(access.cookie));
}

/** The browser remembers the answer for that origin, as it does for users. */
async function answerChallenges(
  { session }: Tab,
  { origin, user, password }: Extract<OriginAccess, { kind: "basic" }>,
): Promise<void> {
  const answered = new Set<string>();
  session.on("Fetch.requestPaused", ({ requestId }) => void goOn(session, requestId));
  session.on("Fetch.authRequired", ({ requestId, request, authChallenge }) => {
    const { source, scheme } = authChallenge;
    const isOurs = [request.url, authChallenge.origin].every((url) => new URL(url).origin === origin);
    // A refused password is not sent again: the server would refuse it endlessly.
    const isNew = !answered.has(requestId);
    const mayAnswer = isOurs && isNew && source !== "Proxy" && /^(basic|digest)$/i.test(scheme);
    answered.add(requestId);
    const response: Protocol.Fetch.AuthChallengeResponse = mayAnswer
      ? { response: "ProvideCredentials", username: user, password }
      : { response: "CancelAuth" };
    session.send("Fetch.continueWithAuth", { requestId, authChallengeResponse: response }).catch(() => {});
  });
  // Requests to other origins are not intercepted.
  await session.send("Fetch.enable", { handleAuthRequests: true, patterns: [{ urlPattern: `${origin}/*` }] });
}

/**
 * Cookies ignore the port and partly the scheme: while the tab has them, all other ports of the host are blocked; before
 * the page goes to one of these, the cookies are removed.
 */
async function grantCookies(
  { session, mainFrameId }: Tab,
  egress: Egress,
  origin: string,
  cookies: Cookie[],
): Promise<void> {
  const { host } = targetOf(origin);
  let state: "before" | "granted" | "revoked" = "before";

  async function grant() {
    state = "granted";
    egress.keepTo(targetOf(origin));
    const common = { url: `${origin}/`, secure: origin.startsWith("https:"), httpOnly: true };
    await session.send("Network.setCookies", { cookies: cookies.map((cookie) => ({ ...cookie, ...common })) });
  }

  async function revoke() {
    state = "revoked";
    await Promise.all(cookies.map(({ name }) => session.send("Network.deleteCookies", { name, url: `${origin}/` })));
    egress.keepTo(undefined);
  }

  async function goesTo(url: string) {
    if (new URL(url).origin === origin) {
      if (state === "before") await grant();
    } else if (state === "granted" && new URL(url).hostname === host) await revoke();
  }

  session.on("Fetch.requestPaused", ({ requestId, request, frameId }) => {
    const judged = frameId === mainFrameId ? goesTo(request.url) : Promise.resolve();
    // If this fails, the request fails: without its cookies a page may deny access, and another page's cookies do not
    // belong to it.
    judged.then(
      () => goOn(session, requestId),
      () => session.send("Fetch.failRequest", { requestId, errorReason: "Failed" }),
    ).catch(() => {});
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*", resourceType: "Document" }] });
}

function goOn(session: Tab["session"], requestId: string): Promise<void> {
  // The request may have ended already.
  return session.send("Fetch.continueRequest", { requestId }).catch(() => {});
}

interface Cookie {
  name: string;
  value: string;
}

/** Cookies of a `Cookie` header; invalid ones are skipped. */
function cookiesOf(header: string): Cookie[] {
  return header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => /^[^\s=]+=[\x20-\x7e]*$/.test(pair) && /^[\x21-\x7e]+=/.test(pair))
    .map((pair) => ({ name: pair.slice(0, pair.indexOf("=")), value: pair.slice(pair.indexOf("=") + 1) }));
}
