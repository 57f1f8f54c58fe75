import { startOpenIdProvider, type OpenIdOptions, type OpenIdProvider, type OpenIdUser } from "../../doubles/openid-provider";
import { openFormBrowser, type Answer, type FormBrowser, type Page } from "../browser/form-browser";
import { freePort } from "../servers/free-port";
import { startServer, type TestServer } from "../servers/server";

export const OPENID_SECRET = "a secret: with signs & spaces that must be encoded";

/** The built server with sign-in at an OpenID provider on this machine. */
export interface OpenIdServer extends TestServer {
  readonly provider: OpenIdProvider;
  /** Browser of a user who reads English. */
  browser(): FormBrowser;
  /** Adds a user at the provider. */
  person(facts?: Partial<OpenIdUser>): OpenIdUser;
  /** Removes all faults of the provider. */
  heal(): void;
}

export async function startWithOpenId(more: Partial<OpenIdOptions> = {}, env: Record<string, string> = {}): Promise<OpenIdServer> {
  const port = await freePort();
  // Another host name than the provider's: cookies ignore ports.
  const origin = `http://127.0.0.1:${port}`;
  const client = { clientId: "rampe client", clientSecret: OPENID_SECRET };
  const provider = await startOpenIdProvider({ ...client, origin, ...more });
  const server = await startServer({
    browser: false,
    env: {
      PORT: String(port),
      BASE_URL: origin,
      BILLING: "off",
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: client.clientId,
      OIDC_CLIENT_SECRET: client.clientSecret,
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
      const user = { id: `person-${people}`, email: `person-${people}@example.org`, email_verified: true, name: `Person Number ${people}`, ...facts };
      provider.users.set(user.id, user);
      return user;
    },
    heal() {
      for (const fault of Object.keys(provider.faults) as (keyof typeof provider.faults)[]) delete provider.faults[fault];
    },
    async stop() {
      const stopped = await server.stop();
      await provider.close();
      return stopped;
    },
  };
}

export const isAsked = ({ url, status }: Answer): boolean => status === 200 && url.pathname.startsWith("/interaction/");

/** Fills in the provider's form. */
export async function answerForm(browser: FormBrowser, form: Answer, { id }: Pick<OpenIdUser, "id">, action = "continue"): Promise<Page> {
  if (!isAsked(form)) throw new Error(`not the provider's form but ${form.url.href}: ${form.status} ${form.text.slice(0, 300)}`);
  return browser.submit(form.url, { id, action });
}

/** Opens a page of ours that redirects to the provider, and signs in there. */
export async function signInWithOpenId(browser: FormBrowser, user: OpenIdUser, path = "/profile/general"): Promise<Page> {
  return answerForm(browser, await browser.open(path), user);
}
