import { useTranslation } from "react-i18next";
import { CopyButton } from "~/ui/copy-button";

interface AppSecretProps {
  /** Base32. */
  secret: string;
  /** The same for apps, as an address. */
  address: string;
  qrCode: { size: number; path: string };
}

/** Three ways to bring a secret into an app: by camera, by a link on the same device, by typing. */
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
