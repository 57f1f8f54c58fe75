import { settingRows } from "~/administration/settings.server";
import { WrongUsage, type Command } from "./command.server";
import { textTable } from "./text-table";

const FROM = { environment: "environment", file: ".env", default: "default", start: "first start" } as const;

export const settings: Command = {
  takes: "",
  does: "lists all settings with where they come from, without secrets",
  async run(args, { env, say }) {
    if (args.length > 0) throw new WrongUsage();
    const rows = settingRows(env()).map(({ name, value, isSet, from }) => [name, value ?? (isSet ? "(set)" : "(not set)"), FROM[from]]);
    say(textTable([["SETTING", "VALUE", "FROM"], ...rows]));
    return true;
  },
};
