/** `short`: pictures and the elements of passes were deleted to save space; `gone`: all elements. Counts and rules stay. */
export type EvidenceState = "kept" | "short" | "gone";
