import manifest from "#package" with { type: "json" };

/** Such as `0.1.0`. */
export const VERSION: string = manifest.version;

/** Such as `Rampe 0.1.0`. */
export const productName = (): string => `Rampe ${VERSION}`;
