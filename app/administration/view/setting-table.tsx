import { useTranslation } from "react-i18next";
import type { SettingRow } from "~/administration/settings.server";
import { DataTable } from "~/ui/data-table";

export function SettingTable({ caption, settings }: { caption: string; settings: SettingRow[] }) {
  const { t } = useTranslation("admin");
  return (
    <DataTable
      caption={caption}
      columns={(["name", "value", "from", "wants"] as const).map((column) => t(`settings.column.${column}`))}
    >
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
    </DataTable>
  );
}

function Value({ setting: { value, isSet } }: { setting: SettingRow }) {
  const { t } = useTranslation("admin");
  if (!isSet) return t("settings.unset");
  if (value === null) return t("settings.secret");
  return <span translate="no">{value}</span>;
}
