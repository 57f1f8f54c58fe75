import { useTranslation } from "react-i18next";
import type { SettingRow } from "~/administration/settings.server";

/** All settings. Explicit roles, as style sheets make a list of the table on small screens. */
export function SettingTable({ settings }: { settings: SettingRow[] }) {
  const { t } = useTranslation("admin");
  return (
    <table className="data-table" role="table">
      <caption className="visually-hidden">{t("settings.heading")}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {(["name", "value", "from", "wants"] as const).map((column) => (
            <th key={column} role="columnheader" scope="col">
              {t(`settings.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {settings.map((setting) => (
          <tr key={setting.name} role="row">
            <th role="rowheader" scope="row" data-label={t("settings.column.name")}>
              <code translate="no">{setting.name}</code>
            </th>
            <td role="cell" className="address" data-label={t("settings.column.value")}>
              <Value setting={setting} />
            </td>
            <td role="cell" data-label={t("settings.column.from")}>
              {t(`settings.from.${setting.from}`)}
            </td>
            <td role="cell" data-label={t("settings.column.wants")}>
              <span lang="en">{setting.wants}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ setting: { value, isSet } }: { setting: SettingRow }) {
  const { t } = useTranslation("admin");
  if (!isSet) return t("settings.unset");
  if (value === null) return t("settings.secret");
  return <span translate="no">{value}</span>;
}
