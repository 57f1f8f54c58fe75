import type { RequestHandler } from "express";

/** Where the provider's API is; nothing for Stripe itself. */
export interface ProviderAddress {
  host: string;
  port: number;
  protocol: "http" | "https";
}

/** How the payment provider is reached. */
export interface PaymentConnection {
  secretKey: string;
  /** Null where events cannot be believed. */
  webhookSecret: string | null;
  address?: ProviderAddress;
  /** Origins of the pages that forms of ours lead on to. */
  pageOrigins: string[];
  /** Pages of a provider that lives beside this server, and where. */
  pages?: { path: string; handler: RequestHandler };
  /** The server listens at this origin: events may be sent there. */
  listening?(origin: string): void;
  stop?(): Promise<void>;
}
