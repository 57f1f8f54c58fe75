import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startAuth0, type Auth0Double, type Auth0Options } from "../../doubles/auth0";
import type { Auth0User } from "../../doubles/auth0-management";
import { openFormBrowser, type Answer, type FormBrowser, type Page } from "../browser/form-browser";
import { freePort } from "../servers/free-port";
import { SELF_SIGNED } from "../servers/self-signed";
import { startServer, type TestServer } from "../servers/server";

export const CLIENT_SECRET = "the-secret-of-the-application-at-the-provider";
export const ORGANIZATION = "org_rampe";
export const AUDIENCE = "https://api.rampe.test/";

/** The built server with sign-in at a hosted provider: a test double on this machine. */
export interface HostedServer extends TestServer {
  readonly provider: Auth0Double;
  /** Browser of a user who reads English. */
  browser(): FormBrowser;
  /** Adds a user at the provider. */
  person(facts?: Partial<Auth0User>): Auth0User;
  /** Removes all faults of the provider. */
  heal(): void;
}

export interface HostedOptions {
  env?: Record<string, string>;
  provider?: Partial<Pick<Auth0Options, "managementScopes">>;
}

export async function startHosted({ env = {}, provider: more = {} }: HostedOptions = {}): Promise<HostedServer> {
  const client = { clientId: "rampe-client", clientSecret: CLIENT_SECRET, audience: AUDIENCE, organization: ORGANIZATION };
  const provider = await startAuth0({ ...SELF_SIGNED, ...client, ...more });
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-hosted-"));
  const certificate = path.join(folder, "provider.pem");
  writeFileSync(certificate, SELF_SIGNED.cert);
  // The server must know its address before it listens: the provider redirects there.
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  provider.allow(origin);
  const server = await startServer({
    browser: false,
    env: {
      PORT: String(port),
      BASE_URL: origin,
      BILLING: "off",
      AUTH0_DOMAIN: provider.domain,
      AUTH0_CLIENT_ID: client.clientId,
      AUTH0_CLIENT_SECRET: client.clientSecret,
      AUTH0_AUDIENCE: client.audience,
      AUTH0_ORGANIZATION: client.organization,
      NODE_EXTRA_CA_CERTS: certificate,
      ...env,
    },
  });

  let people = 0;
  return {
    ...server,
    provider,
    browser: () => openFormBrowser(origin, { "Accept-Language": "en" }),
    person(facts = {}) {
      people += 1;
      const user: Auth0User = {
        user_id: `auth0|person-${people}`,
        email: `person-${people}@example.org`,
        email_verified: true,
        name: `Person Number ${people}`,
        password: `password of person ${people}`,
        ...facts,
      };
      provider.users.set(user.user_id, user);
      return user;
    },
    heal() {
      const { faults } = provider;
      for (const fault of Object.keys(faults) as (keyof typeof faults)[]) delete faults[fault];
    },
    async stop() {
      const stopped = await server.stop();
      await provider.close();
      rmSync(folder, { recursive: true });
      return stopped;
    },
  };
}

/** Whether a page is the provider's sign-in form. */
export const asksToSignIn = ({ url, status }: Answer): boolean => status === 200 && url.pathname.startsWith("/u/");

/** Fills in the provider's form. */
export async function fillIn(browser: FormBrowser, form: Answer, { email, password }: Auth0User, action = "continue"): Promise<Page> {
  if (!asksToSignIn(form)) throw new Error(`not the provider's form but ${form.url.href}: ${form.status} ${form.text}`);
  return browser.submit(actionOf(form), { email, password, action });
}

/** Target of the form on a page. */
export function actionOf({ text, url }: Answer): URL {
  const [, action = ""] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
  return new URL(action, url);
}

/** Opens a page of ours that redirects to the provider, and signs in there. */
export async function signInAtProvider(browser: FormBrowser, user: Auth0User, path = "/profile/general"): Promise<Page> {
  return fillIn(browser, await browser.open(path), user);
}

/** Signs in at the provider again, for a page of ours that requires it. @returns that page */
export async function signInAgain(browser: FormBrowser, user: Auth0User, path: string): Promise<Page> {
  return fillIn(browser, await browser.submit(path), user);
}
