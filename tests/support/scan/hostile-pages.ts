import { answers } from "./hostile/answers";
import { bulk } from "./hostile/bulk";
import { devices } from "./hostile/devices";
import type { HostilePages } from "./hostile/kinds";
import { loops } from "./hostile/loops";
import { memory } from "./hostile/memory";
import { moving } from "./hostile/moving";
import { natives } from "./hostile/natives";
import { anyhow, atArrival, hovered, opened, pressed, submitted, walked } from "./hostile/used";

/** Hostile pages with one attack each, by the name of the attack. */
export const hostilePages: HostilePages = {
  ...natives,
  ...loops,
  ...memory,
  ...bulk,
  ...moving,
  ...answers,
  ...devices,
};

/** Pages with attacks on interaction, a part of the advanced analysis. */
export const usedPages: HostilePages = { ...walked, ...opened, ...atArrival, ...pressed, ...hovered, ...submitted, ...anyhow };

/** Pages that take more than 5 s on an idle machine, because they use up a time limit. */
export const slowPages: ReadonlySet<string> = new Set([
  "labels in a chain of 20,000", "a document that drips", "a history that is flooded", "a loop while the page loads",
  "a loop when the document changes", "a loop of promises", "a frame that holds itself, twice", "frames nested 200 deep",
  "a single byte, and then silence", "headers that drip", "a document that changes without rest", "loops in workers",
  "events from the server without end", "a loop in every frame that is drawn",
  "a synchronous request that is never answered", "workers that take memory", "300 frames side by side", "100,000 elements",
  "a console that is flooded", "links to other programs, clicked without end", "a drawing of 2 MB",
  "style rules without end", "a regular expression without end", "a loop when a box changes", "storage without end",
  "a loop in a timer", "a password asked for", "windows without end", "fragments without end", "errors without end",
]);
