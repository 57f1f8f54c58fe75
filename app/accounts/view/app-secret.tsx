import { useTranslation } from "react-i18next";
import { CopyButton } from "~/ui/copy-button";

interface AppSecretProps {
  /** Secret in base32. */
  secret: string;
  /** Address with the secret, for apps. */
  address: string;
  qrCode: { size: number; path: string };
}

/** Three ways to give a secret to an app: by camera, by a link on the same device, by typing. */
export function AppSecret({ secret, address, qrCode: { size, path } }: AppSecretProps) {
  const { t } = useTranslation("factors");
  return (
    <>
      <svg className="qr-code" role="img" aria-label={t("app.picture")} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <p>
        <a href={address}>{t("app.open")}</a>
      </p>
      <p>
        {t("app.typing")}
        <br />
        <code className="secret-code" dir="ltr" translate="no">
          {secret.replace(/(.{4})(?=.)/g, "$1 ")}
        </code>
      </p>
      <CopyButton label={t("app.copy")} text={secret} />
    </>
  );
}
