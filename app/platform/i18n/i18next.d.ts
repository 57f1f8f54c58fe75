import "i18next";
import type { TextFiles } from "./text-files.server";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    // The others are structures that `textFile` reads; with all of them the compiler gives up.
    resources: Omit<TextFiles, "axe" | "cashier" | "criteria" | "criterionQuestions" | "guides" | "pages" | "pdf" | "remedies" | "titles" | "welcome">;
  }
}
