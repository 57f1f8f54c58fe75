import { z } from "zod";
import type { Standard } from "~/scan/types";
import { ADDRESS_PROBLEMS, parseStartAddress, type AddressProblem, type Refuses } from "~/platform/web/start-address";

/** Standard of the free check. */
export const FREE_STANDARD: Standard = { version: "2.2", level: "AA" };

/**
 * Schema of the free check's form: `url` as typed becomes the address to open. A message is the name of the problem
 * (`AddressProblem`); the view has its text.
 */
export function checkFormSchema(refuses: Refuses) {
  return z.object({ url: addressField(refuses) });
}

/** Field for a typed address, which becomes the address to open. */
export function addressField(refuses: Refuses) {
  return z
    .string()
    .optional()
    .transform((typed, context) => {
      const address = parseStartAddress(typed ?? "", refuses);
      if (address.ok) return address.url;
      context.addIssue({ code: "custom", message: address.problem });
      return z.NEVER;
    });
}

export function isAddressProblem(message: string): message is AddressProblem {
  return ADDRESS_PROBLEMS.some((problem) => problem === message);
}
