import { ENGINE_OF, type EngineVersion, type RuleSource } from "~/scan/types";

/** Such as `axe-core 4.14.1, rampe 1.0.0`; "" if none took part. */
export const engineNames = (engines: EngineVersion[]): string => engines.map(({ name, version }) => `${name} ${version}`).join(", ");

/** For texts that name an engine in any case: without a version if none took part. */
export const engineLabel = (engines: EngineVersion[]): string => engineNames(engines) || ENGINE_OF.axe;

/** The engine with the rules of a source. @throws {Error} when it did not take part */
export function versionOf(engines: EngineVersion[], source: RuleSource): string {
  const engine = engines.find(({ name }) => name === ENGINE_OF[source]);
  if (!engine) throw new Error(`${ENGINE_OF[source]} did not take part in this check.`);
  return engine.version;
}

/** All that took part in a run; an update in the middle of a run leaves two versions of an engine. The latest first. */
export function mergeEngines(before: EngineVersion[], now: EngineVersion[]): EngineVersion[] {
  const isNew = (old: EngineVersion) => !now.some(({ name, version }) => name === old.name && version === old.version);
  return [...now, ...before.filter(isNew)];
}
