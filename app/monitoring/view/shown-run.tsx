/** Run of a schedule form: it may no longer be the last one of its website when the form is sent. */
export interface ShownRun {
  url: string;
  scope: "page" | "site";
}

/** Hidden fields with the run. */
export function ShownRunFields({ url, scope }: ShownRun) {
  return (
    <>
      <input type="hidden" name="url" value={url} />
      <input type="hidden" name="scope" value={scope} />
    </>
  );
}
