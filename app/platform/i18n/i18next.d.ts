import "i18next";
import type account from "locales/en/account.json";
import type billing from "locales/en/billing.json";
import type check from "locales/en/check.json";
import type common from "locales/en/common.json";
import type contact from "locales/en/contact.json";
import type fixes from "locales/en/fixes.json";
import type history from "locales/en/history.json";
import type home from "locales/en/home.json";
import type law from "locales/en/law.json";
import type report from "locales/en/report.json";
import type reviews from "locales/en/reviews.json";
import type runs from "locales/en/runs.json";
import type statement from "locales/en/statement.json";
import type tokens from "locales/en/tokens.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: {
      account: typeof account;
      billing: typeof billing;
      check: typeof check;
      common: typeof common;
      contact: typeof contact;
      fixes: typeof fixes;
      history: typeof history;
      home: typeof home;
      law: typeof law;
      report: typeof report;
      reviews: typeof reviews;
      runs: typeof runs;
      statement: typeof statement;
      tokens: typeof tokens;
    };
  }
}
