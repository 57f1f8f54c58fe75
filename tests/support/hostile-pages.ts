import { answers } from "./hostile/answers";
import { bulk } from "./hostile/bulk";
import { devices } from "./hostile/devices";
import type { HostilePages } from "./hostile/kinds";
import { loops } from "./hostile/loops";
import { memory } from "./hostile/memory";
import { moving } from "./hostile/moving";
import { natives } from "./hostile/natives";

/** Pages that each attack one thing, by what they do. */
export const hostilePages: HostilePages = {
  ...natives,
  ...loops,
  ...memory,
  ...bulk,
  ...moving,
  ...answers,
  ...devices,
};
