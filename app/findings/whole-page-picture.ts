import type { Box } from "~/scan/types";

/** Maximum size of a picture, and of positions in it, in CSS pixels. */
const MAX_SIDE = 20_000;

/** Maximum share of a run's picture room for pictures of whole pages; the rest is for its elements. */
export const SHARE_OF_PICTURES = 1 / 2;

/** Number from a page as a position in its picture: positions left of or above the picture become 0. */
export const pixels = (value: number): number => Math.min(MAX_SIDE, Math.max(0, Math.round(Number(value)) || 0));

export const storedBox = ({ x, y, width, height }: Box): Box => ({ x: pixels(x), y: pixels(y), width: pixels(width), height: pixels(height) });
