import { useId, useRef, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { isPlainClick } from "~/ui/dialog/use-form-dialog";
import { Icon } from "~/ui/icon";
import { useScripts } from "~/ui/use-scripts";

interface EnlargeablePictureProps {
  src: string;
  alt: string;
  className: string;
  /** Load it only near the visible part of the page. */
  lazy?: boolean;
}

/** Picture with a link to its full size: narrow screens shrink it. */
export function EnlargeablePicture({ src, alt, className, lazy = false }: EnlargeablePictureProps) {
  return (
    <EnlargeLink src={src} alt={alt}>
      <img className={className} src={src} alt={alt} loading={lazy ? "lazy" : undefined} />
    </EnlargeLink>
  );
}

interface EnlargeLinkProps {
  /** Address of the picture in full size. */
  src: string;
  alt: string;
  /** The small picture, if it is part of the link. */
  children?: ReactNode;
}

/** A link to a picture in full size. With scripts, it opens over the page. */
export function EnlargeLink({ src, alt, children }: EnlargeLinkProps) {
  const { t } = useTranslation();
  const headingId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const hasScripts = useScripts();
  return (
    <>
      <a
        className="picture-link"
        href={src}
        onClick={(event) => {
          if (!isPlainClick(event) || !dialog.current?.showModal) return;
          event.preventDefault();
          dialog.current.showModal();
        }}
      >
        {children}
        <span className="picture-enlarge">
          <Icon name="enlarge" size={16} /> {t("picture.enlarge")}
        </span>
      </a>
      {hasScripts &&
        createPortal(
          <dialog ref={dialog} className="dialog picture-dialog" aria-labelledby={headingId}>
            <button className="button button-quiet dialog-close" type="button" onClick={() => dialog.current?.close()}>
              {t("dialog.close")}
            </button>
            <h2 id={headingId} className="visually-hidden">
              {t("picture.large")}
            </h2>
            {/* Scrollable, also by keyboard. */}
            <div className="picture-scroll" role="group" aria-labelledby={headingId} tabIndex={0}>
              <img src={src} alt={alt} loading="lazy" />
            </div>
          </dialog>,
          document.getElementById("main") ?? document.body,
        )}
    </>
  );
}
