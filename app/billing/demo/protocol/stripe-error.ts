export type StripeErrorType = "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";

export interface StripeErrorDetails {
  code?: string;
  /** Wrong parameter, as sent: `line_items[0][price]`. */
  param?: string;
}

/** Error with Stripe's wording and status (https://docs.stripe.com/api/errors). */
export class StripeError extends Error {
  constructor(
    readonly status: number,
    readonly type: StripeErrorType,
    message: string,
    readonly details: StripeErrorDetails = {},
  ) {
    super(message);
  }

  /** Body of the answer. */
  toJSON() {
    return { error: { ...this.details, message: this.message, type: this.type } };
  }
}

/** Invalid request: status 400. */
export function invalidRequest(message: string, details: StripeErrorDetails = {}): StripeError {
  return new StripeError(400, "invalid_request_error", message, details);
}

/** Missing object: named by a path (404) or a parameter (400). */
export function resourceMissing(noun: string, id: string, param: string, status: 400 | 404 = 400): StripeError {
  return new StripeError(status, "invalid_request_error", `No such ${noun}: '${id}'`, { code: "resource_missing", param });
}
