import type { StoredWalk } from "~/findings/keyboard-walk.server";

export type Walk = StoredWalk;

export interface NumberedStop {
  number: number;
  /** Box of the element, in the picture. */
  box: NonNullable<StoredWalk["stops"][number]["box"]>;
  /** Centre of its mark. */
  x: number;
  y: number;
}

/** Radius of a mark, in CSS pixels of the page. */
export const MARK_RADIUS = 17;

/** Visible stops in the picture, each with its mark at the corner of the element. */
export function stopsInPicture({ stops, picture }: Walk): NumberedStop[] {
  if (!picture) return [];
  return stops.flatMap(({ box }, index) => {
    if (!box || box.y >= picture.height || box.x >= picture.width) return [];
    return [{ number: index + 1, box, ...markCentre(box, picture) }];
  });
}

/** Centre of a mark at the corner of an element, within the picture. */
export function markCentre(box: { x: number; y: number }, picture: { width: number; height: number }): { x: number; y: number } {
  const inside = (at: number, side: number) => Math.min(Math.max(at, MARK_RADIUS), side - MARK_RADIUS);
  return { x: inside(box.x, picture.width), y: inside(box.y, picture.height) };
}

/** Points of the line from mark to mark. */
export const stopPath = (stops: Pick<NumberedStop, "x" | "y">[]): string => stops.map(({ x, y }) => `${x},${y}`).join(" ");
