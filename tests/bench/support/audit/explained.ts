import type { Message, Tool } from "./judges";

/** Accepted messages with their reasons. */
export interface Explanation {
  tool: Tool;
  /** Pattern for the message's code. */
  code: RegExp;
  /** Pattern for each element; without it, the reason applies to all. */
  where?: RegExp;
  reason: string;
}

const USERNAME =
  "HTML allows a user name to be an e-mail address (https://html.spec.whatwg.org/#autofill-field, control group Username), and password managers look for it.";
const UNNAMED_FORM = "A form without a name is no landmark (HTML-AAM), and the groups in these have names of their own.";
const TABLE_ROLES =
  "On small screens, rows and cells are shown as blocks, which in some browsers makes a table no table any more; the roles keep it one.";
const WHOLE_SHEET = "A question about every style sheet there is: ";

export const EXPLAINED: readonly Explanation[] = [
  {
    tool: "axe",
    code: /^hidden-content \(open\)$/,
    where: /^(details(\[open=""\] > summary)?|\.menu-(panel|toggle))$/,
    reason: "Buttons of menus are hidden on wide screens, and the closed menu on small ones; it is judged open as well.",
  },
  {
    tool: "axe",
    code: /^hidden-content \(open\)$/,
    where: /^\.honeypot$/,
    reason: "A field that only programs find, which fill in every field; who has filled it in all the same sees it then.",
  },
  {
    tool: "axe",
    code: /^p-as-heading \(open\)$/,
    where: /^\.report-of$/,
    reason: "What the report is about, above the heading of each of its pages.",
  },
  {
    tool: "htmlcs",
    code: /1_4_[36]\.G\d+\.Abs$/,
    where: /class="visually-hidden"/,
    reason: "Meant for screen readers alone: nobody sees it on any ground.",
  },
  {
    tool: "htmlcs",
    code: /1_3_1\.(H42|H48\.2)$/,
    where: /class="plan-price"/,
    reason: "A price in bold is no heading, and its number and point are no list.",
  },
  {
    tool: "htmlcs",
    code: /1_3_1\.H48$/,
    where: /class="[^"]*site-header-row"/,
    reason: "The way past the header and the link home, one after the other, are no navigation; that has a list.",
  },
  {
    tool: "htmlcs",
    code: /\.G141$/,
    where: /id="error-summary-title"/,
    reason: "What is wrong with a form comes before everything else, also before the page's heading, as in the GOV.UK Design System.",
  },
  { tool: "htmlcs", code: /1_3_5\.H98$/, where: /autocomplete="username"/, reason: USERNAME },
  { tool: "htmlcs", code: /1_3_1\.H85\.2$/, reason: "Said of every long list of options; these are of one kind." },
  { tool: "htmlcs", code: /1_4_10\.C32,/, reason: "Code is preformatted, but wraps (tests/e2e/reflow.spec.ts)." },
  { tool: "ibm", code: /^aria_(form_label|landmark_name)_unique fail_/, where: /<form/, reason: UNNAMED_FORM },
  { tool: "ibm", code: /^aria_role_redundant /, where: /<(table|thead|tbody|tr|th|td)\b/, reason: TABLE_ROLES },
  { tool: "ibm", code: /^download_keyboard_controllable Manual_1$/, reason: "A plain link to a PDF file." },
  {
    tool: "ibm",
    code: /^element_attribute_deprecated /,
    where: /<ol start=/,
    reason: "HTML has this attribute (https://html.spec.whatwg.org/#attr-ol-start), and it says that a list goes on.",
  },
  {
    tool: "ibm",
    code: /^element_tabbable_visible /,
    where: /class="skip-link"/,
    reason: "It appears when it has the focus.",
  },
  {
    tool: "ibm",
    code: /^fieldset_legend_valid Fail_1$/,
    where: /<fieldset>$/,
    reason: "The legend is there for screen readers alone, which this rule takes for none.",
  },
  { tool: "ibm", code: /^input_autocomplete_valid /, where: /autocomplete="username"/, reason: USERNAME },
  { tool: "ibm", code: /^input_fields_grouped /, reason: "All fields of the form belong together; the form is their group." },
  {
    tool: "ibm",
    code: /^input_label_visible /,
    where: /<textarea/,
    reason: "It has a label that everybody sees, like every other field; the other judges find it.",
  },
  {
    tool: "ibm",
    code: /^list_structure_proper /,
    where: /<dl/,
    reason: "Terms and definitions in groups, as HTML allows (https://html.spec.whatwg.org/#the-dl-element).",
  },
  { tool: "ibm", code: /^style_color_misuse /, reason: `${WHOLE_SHEET}what a colour says here, a word or an icon says as well.` },
  { tool: "ibm", code: /^style_highcontrast_visible /, reason: `${WHOLE_SHEET}axe-core judges the pages in forced colours as well.` },
  { tool: "ibm", code: /^text_block_heading /, reason: "Labels of fields, prices and numbers in bold: no heading of what follows." },
  {
    tool: "ibm",
    code: /^text_sensory_misuse potential_(other|position)$/,
    reason: "Small, large and little are amounts; above and below a sum, left out and not right are no places on the page.",
  },
  { tool: "nu", code: /^Trailing slash on void elements /, reason: "React writes them, and every value in quotes." },
  {
    tool: "nu",
    code: /^The “(table|rowgroup|row|columnheader|rowheader|cell)” role is unnecessary|^The “role” attribute must not be used on a “(tr|th|td)”/,
    reason: TABLE_ROLES,
  },
];

export const explanationOf = ({ tool, code, where }: Message): Explanation | undefined =>
  EXPLAINED.find((each) => each.tool === tool && each.code.test(code) && (each.where?.test(where) ?? true));
