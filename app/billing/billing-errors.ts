/** A user has several customers at the provider, and it is unclear which one counts. */
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

/** The provider does not know the requested object (any more), as after a change of the account there. */
export class UnknownToProvider extends ProviderUnavailable {
  override name = "UnknownToProvider";

  /** @param what name of the parameter at the provider, such as `customer` */
  constructor(message: string, readonly what: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Answer, or `otherwise` for an object that the provider no longer knows, which counts as over. */
export async function unlessUnknown<Answer>(answer: Promise<Answer>, otherwise: Answer): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof UnknownToProvider)) throw error;
    return otherwise;
  }
}

export function isCustomerUnknown(error: unknown): boolean {
  return error instanceof UnknownToProvider && error.what === "customer";
}

/** A subscriber was about to pay twice. */
export class AlreadySubscribed extends Error {
  override name = "AlreadySubscribed";
}

/** A user whose monthly plan awaits its first payment was about to order another one. */
export class AwaitingPayment extends Error {
  override name = "AwaitingPayment";
}

/** Event that was not sent by the provider. */
export class ForgedEvent extends Error {
  override name = "ForgedEvent";
}

/** The event comes from the provider, but cannot be read. */
export class MalformedEvent extends Error {
  override name = "MalformedEvent";
}
