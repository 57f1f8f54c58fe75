import type { Ask, RetryPolicy } from "./ask-provider.server";
import { noAnswer } from "~/accounts/sign-in-errors";
import { within } from "~/platform/async/deadline";

/** Leeway before the end of a token. */
const LEEWAY_MS = 60_000;

export interface ManagementOptions {
  domain: string;
  clientId: string;
  clientSecret: string;
  ask: Ask;
  patience: RetryPolicy;
}

interface Token {
  value: string;
  /** Unix time in ms. */
  expiresAt: number;
}

/** Calls to Auth0's Management API (https://auth0.com/docs/api/management/v2); its SDK would add 34 MB. */
export function createManagement({ domain, clientId, clientSecret, ask, patience }: ManagementOptions) {
  const audience = `https://${domain}/api/v2/`;
  let token: Token | undefined;

  return {
    /** @returns false if Auth0 does not allow this change, for example for users of another provider */
    async update(subject: string, change: Record<string, unknown>): Promise<boolean> {
      const answer = await call("PATCH", `users/${encodeURIComponent(subject)}`, change);
      if (answer.status === 400) return false;
      return expectOk(answer);
    },

    async sendVerification(subject: string): Promise<void> {
      // No retry: it would send a second mail.
      await expectOk(await call("POST", "jobs/verification-email", { user_id: subject, client_id: clientId }, { tries: 1 }));
    },
  };

  function call(method: string, path: string, body: unknown, options?: { tries: number }): Promise<Response> {
    return within(patience.totalMs, send(), noAnswer);

    async function send(): Promise<Response> {
      const headers = { "Content-Type": "application/json", Authorization: `Bearer ${await currentToken()}` };
      return ask(`${audience}${path}`, { method, headers, body: JSON.stringify(body) }, options);
    }
  }

  async function currentToken(): Promise<string> {
    if (token && token.expiresAt - LEEWAY_MS > Date.now()) return token.value;
    const answer = await ask(`https://${domain}/oauth/token`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        grant_type: "client_credentials",
        client_id: clientId,
        client_secret: clientSecret,
        audience,
      }),
    });
    await expectOk(answer);
    const { access_token: value, expires_in: seconds } = (await answer.json()) as Record<string, unknown>;
    token = { value: String(value), expiresAt: Date.now() + Number(seconds) * 1_000 };
    return token.value;
  }

  async function expectOk(answer: Response): Promise<true> {
    if (answer.ok) return true;
    // 401 may mean a revoked token.
    if (answer.status === 401) token = undefined;
    // Only the beginning of the path: the rest, and other answers, may name the person.
    const resource = new URL(answer.url).pathname.split("/").slice(0, 4).join("/");
    const said = answer.status === 403 ? `: ${(await answer.text()).slice(0, 300)}` : "";
    throw new Error(`Auth0 answered ${answer.status} to ${resource}${said}`);
  }
}
