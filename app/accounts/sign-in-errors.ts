import type { HostedProblem } from "./hosted-problems";
import { Unavailable } from "~/platform/forms/unavailable";

/** Error: address and password do not match. */
export class WrongCredentials extends Error {
  override name = "WrongCredentials";
}

/** Error: the password queue is full, and the next check would wait too long. */
export class TooBusy extends Unavailable {
  override name = "TooBusy";
  readonly kind = "busy";
}

/** Error: the hosted provider cannot be reached, or its answer is unusable; a retry may succeed. */
export class IdentityUnavailable extends Unavailable {
  override name = "IdentityUnavailable";
  readonly kind = "identity";
}

/** Error: the identity provider did not answer in time. */
export const noAnswer = () => new IdentityUnavailable("the sign-in service does not answer in time");

/** Failed callback from the provider, with its reason and the return path. */
export class CallbackFailed extends Error {
  override name = "CallbackFailed";

  constructor(
    readonly problem: HostedProblem,
    readonly returnTo: string,
    options?: ErrorOptions,
  ) {
    super(`signing in failed: ${problem}`, options);
  }
}
