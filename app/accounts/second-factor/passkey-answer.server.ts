import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";

/** Maximum length, longer than any answer: a form must not make us parse megabytes. */
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

/** Answer about a new passkey; null for other text. */
export const parseRegistration = (answer: string): RegistrationResponseJSON | null => parse(answer, registration);

/** Answer of a used passkey; null for other text. */
export const parseAssertion = (answer: string): AuthenticationResponseJSON | null => parse(answer, assertion);

function parse<Schema extends z.ZodType>(answer: string, schema: Schema): z.output<Schema> | null {
  if (answer.length > LONGEST) return null;
  try {
    return schema.safeParse(JSON.parse(answer)).data ?? null;
  } catch {
    return null;
  }
}
