import "i18next";
import type { TextFiles } from "./text-files.server";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    // Without the structures that `textFile` reads: they are too many for the compiler.
    resources: Omit<TextFiles, "axe" | "cashier" | "criteria" | "criterionQuestions" | "guides" | "pages" | "pdf" | "remedies" | "titles" | "welcome">;
  }
}
