import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The product's import paths, as in `tsconfig.json`. */
export const alias = { "~": `${root}app`, db: `${root}db`, locales: `${root}locales` };
