import { processEnv } from "./env.server";

/** Such as `Rampe 0.1.0`; without the version where npm did not start the process. */
export const productName = (): string => ["Rampe", processEnv().npm_package_version].filter(Boolean).join(" ");
