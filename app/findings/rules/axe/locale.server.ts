import english from "axe-core/locales/_template.json";
import axeGerman from "axe-core/locales/de.json";
import ourGerman from "locales/de/axe.json";

/** A message, or messages by outcome, number or reason, as axe-core's locales nest them. */
export type Template = string | { [key: string]: Template };

interface Texts {
  rules: Record<string, { help?: string; description?: string }>;
  checks: Record<string, Template>;
  incompleteFallbackMessage?: string;
}

export const ENGLISH: Texts = english;

/** The first source with a text wins: our texts replace poor, missing and outdated ones of axe-core. */
export const GERMAN: Texts[] = [ourGerman.improved, ourGerman.gaps, axeGerman];

// Own properties only: ids come from stored results (`constructor`).
export function own<Value>(record: Record<string, Value> | Template | undefined, key: string): Value | undefined {
  return typeof record === "object" && Object.hasOwn(record, key)
    ? (record as Record<string, Value>)[key]
    : undefined;
}
