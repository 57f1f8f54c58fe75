import { InvalidSetting, type Env } from "~/platform/env.server";
import { createAddressPolicy, type AddressPolicy } from "~/scan/network/address-policy";

/** @throws {InvalidSetting} */
export function addressPolicy({ SCAN_ALLOW_PRIVATE }: Env): AddressPolicy {
  try {
    return createAddressPolicy(SCAN_ALLOW_PRIVATE);
  } catch (error) {
    throw new InvalidSetting(`SCAN_ALLOW_PRIVATE is unusable: ${(error as Error).message}.`);
  }
}
