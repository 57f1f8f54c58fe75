/** These functions run inside a page, in an isolated world. */

export interface AnimatedImages {
  /** Duration of each moving picture's animation in ms, by address; undefined if unknown. */
  rampeAnimatedImages?: Map<string, number>;
}

/** Addresses of the drawn pictures, each once. @param most maximum number */
export function drawnImages(most: number): string[] {
  const images = [...document.querySelectorAll<HTMLImageElement | HTMLInputElement>("img, input[type=image]")];
  const drawn = images.filter((image) => image.checkVisibility({ visibilityProperty: true }) && image.getClientRects().length > 0);
  return [...new Set(drawn.map((image) => (image instanceof HTMLImageElement ? image.currentSrc : image.src)))].slice(0, most);
}

/** Keeps the moving pictures for rules. @param lengths by address, null without end */
export function keepAnimatedImages(lengths: [address: string, ms: number | null][]): void {
  Object.assign(globalThis, { rampeAnimatedImages: new Map(lengths.map(([address, ms]) => [address, ms ?? Infinity])) });
}

/** Clears the pictures: an earlier analysis of the same document may have kept some. */
export function forgetAnimatedImages(): void {
  Object.assign(globalThis, { rampeAnimatedImages: undefined });
}
