import manifest from "#package" with { type: "json" };

/** Example: `0.1.0`. */
export const VERSION: string = manifest.version;

/** Example: `Rampe 0.1.0`. */
export const productName = (): string => `Rampe ${VERSION}`;
