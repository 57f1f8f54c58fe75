import { useFetcher, useLocation } from "@remix-run/react";
import { useEffect, useId, useRef, useState, type ComponentType, type MouseEvent, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import type { FormAnswer } from "~/platform/forms/form-answer";
import { DialogContext } from "./dialog-context";

/** View of a route: its loader's data and its action's answer; a dialog shows the same view. */
export type FormView<Page extends object> = ComponentType<Page & { answer?: FormAnswer }>;

interface Opened {
  /** Address of the form's page. */
  href: string;
  /** Element that gets the focus back. */
  opener: HTMLElement;
  /** Visit in which the dialog was opened; the next visit closes it. */
  visit: string;
}

export interface FormDialogControl {
  /** False if the browser does not support dialogs: visit the page instead. */
  open(href: string, opener: HTMLElement): boolean;
  /** The dialog; any place in the page is possible. */
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

/** Unmounts after loading: Remix would reload the data after an action, when it may no longer exist. */
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

  /** Links to the page behind the dialog only close the dialog: that page stays unchanged. */
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
      // React portals pass events to the components around the opening link, and one of them may be a form.
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

/** Clicks with other buttons or keys open a tab or a window, or save the link's target. */
export function isPlainClick({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;
}
