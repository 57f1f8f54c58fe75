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

/** An event that the provider has not sent. */
export class ForgedEvent extends Error {
  override name = "ForgedEvent";
}
