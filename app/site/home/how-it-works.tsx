import { useTranslation } from "react-i18next";

const STEPS = ["open", "check", "read"] as const;

export function HowItWorks() {
  const { t } = useTranslation("home");
  return (
    <section className="band band-raised" aria-labelledby="steps">
      <div className="wrap">
        <h2 id="steps">{t("steps.heading")}</h2>
        <ol className="steps">
          {STEPS.map((step) => (
            <li key={step}>
              <h3>{t(`steps.${step}.heading`)}</h3>
              <p>{t(`steps.${step}.text`)}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
