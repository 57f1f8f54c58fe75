import { useId } from "react";
import { useTranslation } from "react-i18next";
import { formatRatio, type ColorFix, type Fix, type MarkupFix, type Piece } from "~/findings/fixes/fix";

/** Proposed fix of an element: its markup before and after, or colours with enough contrast. */
export function ProposedFix({ fix }: { fix: Fix }) {
  return fix.kind === "colors" ? <ColorOptions {...fix} /> : <BeforeAndAfter {...fix} />;
}

function BeforeAndAfter({ before, after, notes }: MarkupFix) {
  const { t } = useTranslation("fixes");
  return (
    <div className="fix">
      <Markup caption={t("label.before")} pieces={before} change="del" />
      <Markup caption={t("label.after")} pieces={after} change="ins" />
      {notes.map((note) => (
        <p key={note} className="hint prose-line">
          {t(`notes.${note}`)}
        </p>
      ))}
    </div>
  );
}

/** A group, not a `figure`: in a PDF, that would be a picture without a text alternative. */
function Markup({ caption, pieces, change }: { caption: string; pieces: Piece[]; change: "del" | "ins" }) {
  const captionId = useId();
  return (
    <div className="fix-markup" role="group" aria-labelledby={captionId}>
      <p className="fix-caption" id={captionId}>
        {caption}
      </p>
      <pre className="element-code" dir="ltr" translate="no">
        <code>
          {pieces.map(({ text, changed }, index) => (changed ? <Changed key={index} text={text} as={change} /> : text))}
        </code>
      </pre>
    </div>
  );
}

interface ColorPair {
  caption: string;
  foreground: string;
  background: string;
  ratio: number;
  /** The colour that is new. */
  changed?: "foreground" | "background";
}

/** Changed part; without the white space at its ends, which would look like separate lines and boxes. */
function Changed({ text, as: Change }: { text: string; as: "del" | "ins" }) {
  const start = text.length - text.trimStart().length;
  const end = Math.max(start, text.trimEnd().length);
  return (
    <>
      {text.slice(0, start)}
      <Change>{text.slice(start, end)}</Change>
      {text.slice(end)}
    </>
  );
}

/** A pair of colours with too little contrast beside the nearest pairs with enough, as samples and as values. */
function ColorOptions({ foreground, background, ratio, required, bold, newForeground, newBackground }: ColorFix) {
  const { t, i18n } = useTranslation("fixes");
  const pairs: ColorPair[] = [{ caption: t("colors.now"), foreground, background, ratio }];
  if (newForeground) {
    const { color, ratio } = newForeground;
    pairs.push({ caption: t("colors.newForeground"), foreground: color, background, ratio, changed: "foreground" });
  }
  if (newBackground) {
    const { color, ratio } = newBackground;
    pairs.push({ caption: t("colors.newBackground"), foreground, background: color, ratio, changed: "background" });
  }
  const needed = { ratio: formatRatio(required, i18n.language) };

  return (
    <div className="fix">
      <ul className="color-options">
        {pairs.map((pair) => (
          <ColorOption key={pair.caption} bold={bold} {...pair} />
        ))}
      </ul>
      <p className="hint prose-line">
        {pairs.length > 2 ? t("colors.required", needed) : t("colors.requiredOne", needed)} {t("colors.seen")}
      </p>
    </div>
  );
}

function ColorOption({ caption, foreground, background, ratio, changed, bold }: ColorPair & { bold: boolean }) {
  const { t, i18n } = useTranslation("fixes");
  return (
    <li>
      <Sample foreground={foreground} background={background} bold={bold} />
      <div>
        <p className="color-caption">{caption}</p>
        <dl>
          <Value term={t("colors.foreground")} value={foreground} changed={changed === "foreground"} />
          <Value term={t("colors.background")} value={background} changed={changed === "background"} />
          <Value term={t("colors.contrast")} value={t("colors.ratio", { ratio: formatRatio(ratio, i18n.language) })} />
        </dl>
      </div>
    </li>
  );
}

function Value({ term, value, changed = false }: { term: string; value: string; changed?: boolean }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd translate="no">{changed ? <ins>{value}</ins> : value}</dd>
    </div>
  );
}

/** Decorative sample of the values beside it. Colours are attributes, because the content security policy allows no inline style. */
function Sample({ foreground, background, bold }: Omit<ColorPair, "ratio" | "caption"> & { bold: boolean }) {
  return (
    <svg className="color-sample" viewBox="0 0 144 48" aria-hidden="true" focusable="false">
      <rect x="0.5" y="0.5" width="143" height="47" rx="4" fill={background} stroke="currentColor" />
      {/* Drawn, not text: low-contrast text would be a finding on our own page. */}
      <g fill="none" stroke={foreground} strokeWidth={bold ? 3.5 : 2}>
        <path d="m52 34 9-21 9 21m-15-7h12" />
        <path d="M92 21v13m0-6.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0" />
      </g>
    </svg>
  );
}
