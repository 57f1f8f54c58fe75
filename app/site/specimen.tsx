import type { ReactNode } from "react";

/** One component in all its states; the heading names the files of `app/ui` or the classes. */
export function Specimen({ of, children }: { of: string; children: ReactNode }) {
  const id = of.replace(/\W+/g, "-");
  return (
    <section className="band" aria-labelledby={id}>
      <div className="wrap">
        <h2 id={id} lang="en" translate="no">
          {of}
        </h2>
        {children}
      </div>
    </section>
  );
}
