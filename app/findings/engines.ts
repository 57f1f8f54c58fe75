import { ENGINE_OF, type EngineVersion, type RuleSource } from "~/scan/types";

/** Engines such as `axe-core 4.14.1, rampe 1.0.0`; "" if none took part. */
export const engineNames = (engines: EngineVersion[]): string => engines.map(({ name, version }) => `${name} ${version}`).join(", ");

/** The same for texts that always need an engine: its name without a version if none took part. */
export const engineLabel = (engines: EngineVersion[]): string => engineNames(engines) || ENGINE_OF.axe;

/** Version of the engine with the rules of a source. @throws {Error} if the engine did not take part */
export function versionOf(engines: EngineVersion[], source: RuleSource): string {
  const engine = engines.find(({ name }) => name === ENGINE_OF[source]);
  if (!engine) throw new Error(`${ENGINE_OF[source]} did not take part in this check.`);
  return engine.version;
}

/** All engine versions of a run, the latest first; an update during a run leaves two versions of an engine. */
export function mergeEngines(before: EngineVersion[], now: EngineVersion[]): EngineVersion[] {
  const isNew = (old: EngineVersion) => !now.some(({ name, version }) => name === old.name && version === old.version);
  return [...now, ...before.filter(isNew)];
}
