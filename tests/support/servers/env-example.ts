import { SETTINGS } from "~/platform/env.server";

const HEAD = `# Settings of Rampe, all of them optional. Copy this file to .env, and remove the # in front of what you set.
# Made from the settings and their table in README.md: npx vitest run -c tests/vitest.config.ts --project unit env-example -u
`;

interface Row {
  names: string[];
  defaults: string;
  meaning: string;
}

/** Table of settings in the README. */
export function settingRows(readme: string): Row[] {
  const [, section = ""] = /\n## Configuration\n([\s\S]*?)\n##/.exec(readme) ?? [];
  const lines = section.split("\n").filter((line) => line.startsWith("| `"));
  return lines.map((line) => {
    const [, names = "", defaults = "", meaning = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { names: [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name), defaults, meaning };
  });
}

/** Example of the file `.env`: every setting with its meaning, accepted values and default. */
export function envExample(readme: string): string {
  const rows = settingRows(readme).map(({ names, meaning }) => {
    const facts = names.map((name) => SETTINGS.find((setting) => setting.name === name)).filter((each) => each !== undefined);
    const accepted = facts.map(({ name, wants }) => `#   ${name}: ${wants}`);
    return [`# ${meaning.replaceAll("`", "")}`, ...accepted, ...facts.map(({ name, fallback }) => `#${name}=${fallback ?? ""}`)].join("\n");
  });
  return `${[HEAD, ...rows].join("\n\n").replace("\n\n\n", "\n\n")}\n`;
}
