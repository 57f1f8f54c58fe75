import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { COLOR_SCHEMES, type ColorScheme } from "~/platform/http/color-scheme";
import { Icon } from "~/ui/icon";
import { SettingForm } from "./setting-form";

const ICONS = { light: "sun", dark: "moon", auto: "system" } as const;

export function ColorSchemeSwitcher({ current }: { current: ColorScheme }) {
  const { t } = useTranslation();
  return (
    <SettingForm action="/color-scheme" label={t("colorScheme.label")}>
      {COLOR_SCHEMES.map((scheme) => (
        <Fragment key={scheme}>
          {" "}
          <button type="submit" name="scheme" value={scheme} aria-pressed={scheme === current} title={t(`colorScheme.${scheme}`)}>
            <Icon name={ICONS[scheme]} />
            <span className="visually-hidden">{t(`colorScheme.${scheme}`)}</span>
          </button>
        </Fragment>
      ))}
    </SettingForm>
  );
}
