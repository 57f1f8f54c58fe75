import { useFetcher, useLocation } from "@remix-run/react";
import { useEffect, useId, useRef, useState, type ComponentType, type MouseEvent, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import type { FormAnswer } from "~/platform/forms/form-answer";
import { DialogContext } from "./dialog-context";

/** What a route shows of its loader's data and its action's answer; a dialog shows the same. */
export type FormView<Page extends object> = ComponentType<Page & { answer?: FormAnswer }>;

interface Opened {
  /** Address of the page that the dialog shows. */
  href: string;
  /** Gets the focus back. */
  opener: HTMLElement;
  /** The visit during which it was opened: with the next one it is gone. */
  visit: string;
}

export interface FormDialogControl {
  /** False where the browser has no dialogs: then the page is to be visited. */
  open(href: string, opener: HTMLElement): boolean;
  /** To be rendered anywhere. */
  dialog: ReactNode;
}

/** Shows the page of a form in a dialog over the current page. Loader, action and redirects are those of the page. */
export function useFormDialog<Page extends object>(View: FormView<Page>): FormDialogControl {
  const { key: visit } = useLocation();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => {
    opened?.opener.focus();
    setOpened(null);
  };
  return {
    open(href, opener) {
      if (!("HTMLDialogElement" in window)) return false;
      setOpened({ href, opener, visit });
      return true;
    },
    dialog: opened?.visit === visit && <LoadedDialog key={opened.href} href={opened.href} View={View} onClose={close} />,
  };
}

interface DialogProps<Page extends object> {
  href: string;
  View: FormView<Page>;
  onClose: () => void;
}

function LoadedDialog<Page extends object>({ href, View, onClose }: DialogProps<Page>) {
  const [page, setPage] = useState<Page | null>(null);
  if (!page) return <PageLoader href={href} onLoaded={(loaded) => setPage(loaded as Page)} />;
  return <FormDialog View={View} page={page} onClose={onClose} />;
}

/** Is gone once the data is there, for Remix asks again for what is in use: after an action, that may not exist any more. */
function PageLoader({ href, onLoaded }: { href: string; onLoaded: (page: unknown) => void }) {
  const { data, load } = useFetcher();
  useEffect(() => load(href), [href, load]);
  useEffect(() => {
    if (data) onLoaded(data);
  });
  return null;
}

function FormDialog<Page extends object>({ View, page, onClose }: Omit<DialogProps<Page>, "href"> & { page: Page }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const sender = useFetcher<FormAnswer>();
  const headingId = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
    document.getElementById(headingId)?.focus();
  }, [headingId]);

  /** Links to the page behind the dialog lead there by closing it: what is shown there stays as it is. */
  function closeInstead(event: MouseEvent) {
    const link = (event.target as Element).closest("a");
    if (!link || !isPlainClick(event) || link.hash || link.pathname !== pathname) return;
    event.preventDefault();
    event.stopPropagation();
    dialog.current?.close();
  }

  return createPortal(
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={headingId}
      onClose={onClose}
      onClickCapture={closeInstead}
      // Portals pass events on to the components around the link that opened the dialog, of which one may be a form.
      onSubmit={(event) => event.stopPropagation()}
    >
      <button className="button button-quiet dialog-close" type="button" onClick={() => dialog.current?.close()}>
        {t("dialog.close")}
      </button>
      <DialogContext.Provider value={{ headingId, sender }}>
        <View {...page} answer={sender.data} />
      </DialogContext.Provider>
    </dialog>,
    document.getElementById("main") ?? document.body,
  );
}

/** Others open a tab or a window, or save what the link leads to. */
export function isPlainClick({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;
}
