import { createHmac } from "node:crypto";
import { Auth0Strategy } from "remix-auth-auth0";
import type { HostedIdentity, SignInOptions } from "./hosted";

type Options = ConstructorParameters<typeof Auth0Strategy>[0];
type Identified = Awaited<ReturnType<HostedIdentity["finish"]>>;

/** Strategy with options that the library lacks: sign-up, silent sign-in, a nonce. */
export class Strategy extends Auth0Strategy<Identified> {
  readonly #secret: string;
  readonly #wishes = new WeakMap<Request, Omit<SignInOptions, "returnTo">>();

  constructor(options: Options, secret: string, verify: ConstructorParameters<typeof Auth0Strategy<Identified>>[1]) {
    super(options, verify);
    this.#secret = secret;
  }

  /** Begins an attempt. @returns the redirect that the library throws */
  async begin(request: Request, wishes: Omit<SignInOptions, "returnTo">): Promise<Response> {
    // Without `state` in the URL: the library would treat the request as a callback.
    const plain = new Request(new URL("/login", request.url), { headers: request.headers });
    this.#wishes.set(plain, wishes);
    try {
      await this.authenticate(plain);
    } catch (answer) {
      if (answer instanceof Response) return answer;
      throw answer;
    }
    throw new Error("Auth0Strategy did not lead to the provider");
  }

  /** Nonce that ties an id token to an attempt; only this server can compute it from the attempt's state. */
  nonceOf(state: string): string {
    return createHmac("sha256", this.#secret).update(`nonce ${state}`).digest("base64url");
  }

  override authorizationParams(params: URLSearchParams, request: Request): URLSearchParams {
    const all = super.authorizationParams(params, request);
    const { signUp = false, silent = false, fresh = false } = this.#wishes.get(request) ?? {};
    all.set("nonce", this.nonceOf(all.get("state") ?? ""));
    if (signUp) all.set("screen_hint", "signup");
    if (silent) all.set("prompt", "none");
    if (fresh) {
      all.set("prompt", "login");
      // With `max_age`, the id token contains `auth_time`: a browser could remove `prompt`.
      all.set("max_age", "0");
    }
    return all;
  }
}
