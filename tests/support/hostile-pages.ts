import { answers } from "./hostile/answers";
import { bulk } from "./hostile/bulk";
import { devices } from "./hostile/devices";
import type { HostilePages } from "./hostile/kinds";
import { loops } from "./hostile/loops";
import { memory } from "./hostile/memory";
import { moving } from "./hostile/moving";
import { natives } from "./hostile/natives";

/** Hostile pages, one attack each, by the name of the attack. */
export const hostilePages: HostilePages = {
  ...natives,
  ...loops,
  ...memory,
  ...bulk,
  ...moving,
  ...answers,
  ...devices,
};
