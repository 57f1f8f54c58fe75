import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { choicePath } from "~/billing/plans/choice";

interface UnlockNowProps {
  url: string;
  /** Run whose result led to this page; "" for none. */
  check: string;
  /** Displayed host of the website. */
  host: string;
  /** Reason why no purchase is needed. */
  why: "open" | "covered" | "room" | "more";
}

/** Report and scan of a website for which the user needs no further purchase. */
export function UnlockNow({ url, check, host, why }: UnlockNowProps) {
  const { t } = useTranslation("billing");
  return (
    <section className="next-step" aria-labelledby="unlock">
      <h2 id="unlock">{t("unlock.heading")}</h2>
      <p>{t(`unlock.${why}`, { host })}</p>
      <Form method="post" action={choicePath("/setup/unlock", { url, check })}>
        <input type="hidden" name="url" value={url} />
        <input type="hidden" name="check" value={check} />
        <button className="button" type="submit">
          {t("unlock.submit")}
        </button>
      </Form>
    </section>
  );
}
