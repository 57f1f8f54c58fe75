import "i18next";
import type account from "locales/en/account.json";
import type billing from "locales/en/billing.json";
import type check from "locales/en/check.json";
import type common from "locales/en/common.json";
import type home from "locales/en/home.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: { account: typeof account; billing: typeof billing; check: typeof check; common: typeof common; home: typeof home };
  }
}
