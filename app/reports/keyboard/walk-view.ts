import type { StoredWalk } from "~/findings/keyboard-walk.server";

export type Walk = StoredWalk;

export interface NumberedStop {
  number: number;
  /** Of the element, in the picture. */
  box: NonNullable<StoredWalk["stops"][number]["box"]>;
  /** Centre of its mark. */
  x: number;
  y: number;
}

/** Room that a mark takes, in CSS pixels of the page. */
export const MARK_RADIUS = 17;

/** The stops that a picture shows, each with its mark at the corner of the element. */
export function stopsInPicture({ stops, picture }: Walk): NumberedStop[] {
  if (!picture) return [];
  const inside = (at: number, side: number) => Math.min(Math.max(at, MARK_RADIUS), side - MARK_RADIUS);
  return stops.flatMap(({ box }, index) => {
    if (!box || box.y >= picture.height || box.x >= picture.width) return [];
    return [{ number: index + 1, box, x: inside(box.x, picture.width), y: inside(box.y, picture.height) }];
  });
}
