import type { HostedProblem } from "./hosted-problems";
import { Unavailable } from "~/platform/forms/unavailable";

/** Address and password do not belong together. */
export class WrongCredentials extends Error {
  override name = "WrongCredentials";
}

/** The password queue is full: the next check would wait too long. */
export class TooBusy extends Unavailable {
  override name = "TooBusy";
  readonly kind = "busy";
}

/** The hosted provider cannot be reached, or does not answer as it should; another attempt may help. */
export class IdentityUnavailable extends Unavailable {
  override name = "IdentityUnavailable";
  readonly kind = "identity";
}

/** The identity provider did not answer in time. */
export const noAnswer = () => new IdentityUnavailable("the sign-in service does not answer in time");

/** A failed callback from the provider: the reason, and the return path. */
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
