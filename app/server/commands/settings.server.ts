import { settingRows } from "~/administration/settings.server";
import { lineOf } from "~/server/checks/check.server";
import { checkRelease } from "~/server/checks/release-check.server";
import { WrongUsage, type Command } from "./command.server";
import { textTable } from "./text-table";

const FROM = { environment: "environment", file: ".env", default: "default", start: "first start" } as const;

export const settings: Command = {
  takes: "",
  does: "lists all settings with where they come from, without secrets; with RELEASES_URL also whether the version is the newest",
  async run(args, { env, say }) {
    if (args.length > 0) throw new WrongUsage();
    const read = env();
    const rows = settingRows(read).map(({ name, value, isSet, from }) => [name, value ?? (isSet ? "(set)" : "(not set)"), FROM[from]]);
    say(textTable([["SETTING", "VALUE", "FROM"], ...rows]));
    if (read.RELEASES_URL) say(`\n${lineOf("version", await checkRelease(read))}`);
    return true;
  },
};
