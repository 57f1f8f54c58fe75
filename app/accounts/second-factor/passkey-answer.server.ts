import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";

/** Longer than any answer with a key; a form must not make us parse megabytes. */
const LONGEST = 20_000;

const bytes = z.string().regex(/^[\w-]+$/);
const credential = { id: bytes, rawId: bytes, type: z.literal("public-key"), clientExtensionResults: z.object({}).default({}) };

const registration = z.object({
  ...credential,
  response: z.object({ clientDataJSON: bytes, attestationObject: bytes, transports: z.array(z.string().max(40)).max(10).default([]) }),
});
const assertion = z.object({
  ...credential,
  response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes }),
});

/** Null if it is none. */
export const parseRegistration = (answer: string): RegistrationResponseJSON | null => parse(answer, registration);

/** Null if it is none. */
export const parseAssertion = (answer: string): AuthenticationResponseJSON | null => parse(answer, assertion);

function parse<Schema extends z.ZodType>(answer: string, schema: Schema): z.output<Schema> | null {
  if (answer.length > LONGEST) return null;
  try {
    return schema.safeParse(JSON.parse(answer)).data ?? null;
  } catch {
    return null;
  }
}
