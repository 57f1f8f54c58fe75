/** Somebody has more than one customer at the provider, and nobody knows which one counts. */
export class SeveralCustomers extends Error {
  override name = "SeveralCustomers";

  constructor(readonly count: number) {
    super(`Expected exactly one customer, but found ${count}`);
  }
}

/** The provider cannot be reached, or does not answer as it should; another attempt may help. */
export class ProviderUnavailable extends Error {
  override name = "ProviderUnavailable";
}

/** The provider does not know (any more) what it was asked about, as when the account there is another one now. */
export class UnknownToProvider extends ProviderUnavailable {
  override name = "UnknownToProvider";

  /** @param what such as `customer`, as the provider calls the parameter */
  constructor(message: string, readonly what: string, options?: ErrorOptions) {
    super(message, options);
  }
}

export function isCustomerUnknown(error: unknown): boolean {
  return error instanceof UnknownToProvider && error.what === "customer";
}

/** Somebody who pays by the month already was about to pay twice. */
export class AlreadySubscribed extends Error {
  override name = "AlreadySubscribed";
}

/** Somebody whose plan by the month only waits for its first payment was about to order another one. */
export class AwaitingPayment extends Error {
  override name = "AwaitingPayment";
}

/** An event that the provider has not sent. */
export class ForgedEvent extends Error {
  override name = "ForgedEvent";
}

/** It comes from the provider, and is no event that could be read. */
export class MalformedEvent extends Error {
  override name = "MalformedEvent";
}
