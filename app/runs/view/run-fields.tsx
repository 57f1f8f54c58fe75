import { useTranslation } from "react-i18next";
import { RadioGroup } from "~/ui/form/radio-group";
import { TextArea } from "~/ui/form/text-area";
import { TextField } from "~/ui/form/text-field";
import { LEVELS, type Level } from "~/scan/types";
import { ACCESS_FIELDS, AccessFields } from "./access-fields";

interface RunFieldsProps {
  values: Partial<Record<string, string>>;
  errorOf: (field: string) => string | undefined;
  /** Highest selectable level. */
  level: Level;
  /** True if whole sites may be scanned. */
  siteAllowed: boolean;
  /** Limits of this installation. */
  maxPages: number;
  mostWaitMs: number;
  /** True if access data of a protected site were typed, and have to be typed again. */
  again: boolean;
}

const MORE = ["maxPages", "leftOut", "waitMs", "waitFor", ...ACCESS_FIELDS];

/** Fields of a new run: common ones first, the others in a disclosure (`details`). */
export function RunFields({ values, errorOf, level, siteAllowed, maxPages, mostWaitMs, again }: RunFieldsProps) {
  const { t } = useTranslation("runs");
  const levels = LEVELS.filter((each) => each.length <= level.length);
  const opensMore = again || MORE.some((field) => errorOf(field) ?? values[field]);
  return (
    <>
      <TextField
        id="url"
        name="url"
        label={t("new.url")}
        hint={t("new.urlHint")}
        error={errorOf("url")}
        defaultValue={values.url}
        type="text"
        inputMode="url"
        autoComplete="url"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <RadioGroup
        id="scope"
        name="scope"
        legend={t("new.scope")}
        error={errorOf("scope")}
        defaultValue={values.scope ?? (siteAllowed ? "site" : "page")}
        choices={[
          { value: "page", label: t("scope.page"), hint: t("new.pageHint") },
          { value: "site", label: t("scope.site"), hint: siteAllowed ? t("new.siteHint", { count: maxPages }) : t("new.siteIsPaid") },
        ]}
      />
      <RadioGroup
        id="level"
        name="level"
        legend={t("new.level")}
        error={errorOf("level")}
        defaultValue={levels.find((each) => each === values.level) ?? "AA"}
        choices={levels.map((value) => ({ value, label: t(`level.${value}`), hint: t(`levelHint.${value}`) }))}
      />
      {siteAllowed && (
        <div className="field">
          <label className="checkbox" htmlFor="mail">
            <input id="mail" name="mail" value="yes" type="checkbox" defaultChecked={values.mail === "yes"} aria-describedby="mail-hint" />
            <span>{t("new.mail")}</span>
          </label>
          <p className="field-hint" id="mail-hint">
            {t("new.mailHint")}
          </p>
        </div>
      )}
      <details className="more" open={opensMore || undefined}>
        <summary>{t("new.moreOptions")}</summary>
        <TextField
          id="maxPages"
          name="maxPages"
          label={t("new.maxPages")}
          hint={t("new.maxPagesHint", { max: maxPages })}
          error={errorOf("maxPages")}
          defaultValue={values.maxPages}
          type="text"
          inputMode="numeric"
          autoComplete="off"
        />
        <TextArea
          id="leftOut"
          name="leftOut"
          label={t("new.leftOut")}
          hint={t("new.leftOutHint")}
          error={errorOf("leftOut")}
          defaultValue={values.leftOut}
          rows={3}
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          id="waitMs"
          name="waitMs"
          label={t("new.waitMs")}
          hint={t("new.waitMsHint", { max: mostWaitMs })}
          error={errorOf("waitMs")}
          defaultValue={values.waitMs}
          type="text"
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          id="waitFor"
          name="waitFor"
          label={t("new.waitFor")}
          hint={t("new.waitForHint")}
          error={errorOf("waitFor")}
          defaultValue={values.waitFor}
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <h2>{t("new.access")}</h2>
        <p className="field-hint">{t("new.accessHint")}</p>
        <AccessFields user={values.accessUser} errorOf={errorOf} again={again} />
      </details>
    </>
  );
}
