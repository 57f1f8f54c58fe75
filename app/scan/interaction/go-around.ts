/** Number of Tab keys after which an element is the only stop; a field for a date has four. */
const KEYS_ON_ONE = 5;

/** Place of the focus with a dialog open: in it on a new element, on one that came before another (`again`), or on the last one still (`same`). */
export type PlaceInDialog = "inside" | "again" | "same";

/**
 * Presses a key in a dialog until the focus has gone around in it, or has left it.
 * @param press presses it, and returns the place of the focus
 * @param most maximum number of keys
 * @returns the last place; `again` also if there is only one stop
 */
export async function goAround<Place extends string>(press: () => Promise<Place | PlaceInDialog>, most: number): Promise<Place | PlaceInDialog> {
  let place: Place | PlaceInDialog = "inside";
  let same = 0;
  for (let keys = 0; keys < most && place !== "again" && place !== "behind"; keys += 1) {
    const before = place;
    place = await press();
    same = place === "same" ? same + 1 : 0;
    // Out of the page, and back to the only stop.
    if (place === "same" && before === "nothing") return "again";
    if (same >= KEYS_ON_ONE) return "again";
  }
  return place;
}
