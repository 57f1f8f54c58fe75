import { useTranslation } from "react-i18next";
import { isRefusal, type HostedProblem } from "~/accounts/hosted-problems";
import { Icon } from "~/ui/icon";

/** Problem of the hosted sign-in, and a link to try again: only a click starts it. */
export function HostedSignIn({ problem, returnTo }: { problem: HostedProblem | null; returnTo: string }) {
  const { t } = useTranslation("account");
  // Forces a choice of the account: the provider would use the same one again without asking.
  const again = isRefusal(problem) ? "again=yes&" : "";
  return (
    <article className="form-page wrap">
      <h1>{t("login.heading")}</h1>
      {problem && (
        <p className="notice" role="alert">
          <Icon name="alert" />
          <span>{t(`hosted.problem.${problem}`)}</span>
        </p>
      )}
      <p>
        <a className="button" href={`/login?${again}returnTo=${encodeURIComponent(returnTo)}`}>
          {t("hosted.again")}
        </a>
      </p>
    </article>
  );
}
