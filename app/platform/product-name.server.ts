import { version } from "#package";

/** Such as `0.1.0`. */
export const VERSION: string = version;

/** Such as `Rampe 0.1.0`. */
export const productName = (): string => `Rampe ${VERSION}`;
