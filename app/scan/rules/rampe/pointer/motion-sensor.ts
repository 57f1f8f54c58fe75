import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F106: a page listens to the motion of the device. A person must decide whether that has an effect, and can be turned off. */
export const motionSensor: PageRule = {
  id: "rampe-motion-sensor",
  since: "1.13.0",
  criteria: ["2.5.4"],
  level: "wcag21a",
  category: "sensory-and-visual-cues",
  impact: "moderate",
  selector: "html",
  isAdvanced: true,
  judge(_element, kit) {
    const events = kit.listeners(document).filter((type) => type.startsWith("device"));
    return events.length > 0 ? { asks: "listens", data: { events: [...new Set(events)].join(", ") } } : undefined;
  },
};
