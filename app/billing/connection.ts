import type { RequestHandler } from "express";

/** Address of the provider's API; omitted for Stripe itself. */
export interface ProviderAddress {
  host: string;
  port: number;
  protocol: "http" | "https";
}

/** Connection to the payment provider. */
export interface PaymentConnection {
  secretKey: string;
  /** Null if events cannot be verified. */
  webhookSecret: string | null;
  address?: ProviderAddress;
  /** Origins of the pages that our forms redirect to. */
  pageOrigins: string[];
  /** Pages of a provider on this server, with their path. */
  pages?: { path: string; handler: RequestHandler };
  /** Called when the server listens at this origin: events may be sent there. */
  listening?(origin: string): void;
  stop?(): Promise<void>;
}
