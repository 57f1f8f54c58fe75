import { processEnv, type Env } from "~/platform/env.server";
import { runsWithoutSandbox, WITHOUT_SANDBOX } from "~/scan/browser/sandbox";
import { unknownSettings } from "~/platform/unknown-settings.server";

/**
 * Warnings for the operator at the start.
 * @param missingLegal variables about purchases that are neither set nor replaced by a file
 */
export function startWarnings(env: Env, missingLegal: string[]): string[] {
  const warnings = unknownSettings(processEnv());
  if (env.ROLE !== "web" && runsWithoutSandbox()) warnings.push(`the browser runs ${WITHOUT_SANDBOX}`);
  if (env.ROLE === "worker") return warnings;
  if (!env.OPERATOR_NAME || !env.OPERATOR_ADDRESS || !env.OPERATOR_EMAIL) {
    warnings.push("OPERATOR_NAME, OPERATOR_ADDRESS or OPERATOR_EMAIL is missing: imprint and privacy pages are incomplete");
  }
  if (!env.CONTACT_TO && !env.OPERATOR_EMAIL) {
    warnings.push("CONTACT_TO and OPERATOR_EMAIL are missing: messages are stored, and nobody is told");
  }
  // No warning for the demo cashier, which sells nothing.
  if (env.BILLING === "stripe" && missingLegal.length > 0) {
    const verb = missingLegal.length === 1 ? "is" : "are";
    warnings.push(`${missingLegal.join(", ")} ${verb} missing, although something is sold; README says which files may take their place`);
  }
  return warnings;
}
