import type { FindingResult } from "~/scan/types";

/** Name of a rule with its source, such as `axe/image-alt`: part of the identity of findings and of people's answers. */
export const ruleKey = ({ source, ruleId }: Pick<FindingResult, "source" | "ruleId">): string => `${source}/${ruleId}`;
