import type { Box } from "~/scan/types";

/** Of a picture and of positions in it, in CSS pixels. */
const MAX_SIDE = 20_000;

/** Part of a run's pictures that pictures of whole pages may take; the rest is for its elements. */
export const SHARE_OF_PICTURES = 1 / 2;

/** A number from a page, as a position in its picture: what is left of or above it is at its edge. */
export const pixels = (value: number): number => Math.min(MAX_SIDE, Math.max(0, Math.round(Number(value)) || 0));

export const storedBox = ({ x, y, width, height }: Box): Box => ({ x: pixels(x), y: pixels(y), width: pixels(width), height: pixels(height) });
