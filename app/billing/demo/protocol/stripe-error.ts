export type StripeErrorType = "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";

export interface StripeErrorDetails {
  code?: string;
  /** The wrong parameter, as it was sent: `line_items[0][price]`. */
  param?: string;
  decline_code?: string;
}

/** A refusal with Stripe's wording and status (https://docs.stripe.com/api/errors). */
export class StripeError extends Error {
  constructor(
    readonly status: number,
    readonly type: StripeErrorType,
    message: string,
    readonly details: StripeErrorDetails = {},
  ) {
    super(message);
  }

  /** The answer's body. */
  toJSON() {
    const { code } = this.details;
    return {
      error: {
        ...this.details,
        ...(code ? { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}` } : {}),
        message: this.message,
        type: this.type,
      },
    };
  }
}

/** An invalid request: status 400. */
export function unusable(message: string, details: StripeErrorDetails = {}): StripeError {
  return new StripeError(400, "invalid_request_error", message, details);
}

/** The object named by a path (404) or a parameter (400) does not exist. */
export function missing(noun: string, id: string, param: string, status: 400 | 404 = 400): StripeError {
  return new StripeError(status, "invalid_request_error", `No such ${noun}: '${id}'`, { code: "resource_missing", param });
}
