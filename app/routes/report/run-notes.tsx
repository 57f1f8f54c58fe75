import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ElementCode } from "~/reports/check/element-code";
import { NoteText } from "~/reports/acceptance/notes";
import { noteSchema } from "~/reports/acceptance/note-form.server";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { ReportFrame } from "~/reports/view/report-frame";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { TextArea } from "~/ui/form/text-area";
import { LocalizedText } from "~/ui/localized-text";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { isCategory, listsElements, rulePath } from "~/reports/report-view";
import { elementView } from "~/findings/finding-views.server";
import { ownReport } from "~/reports/own-report.server";
import { isLocked, ruleRow } from "~/reports/rule-rows.server";
import { reportMeta } from "~/reports/page.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { readRowNumber } from "~/platform/http/row-number";

export const handle = { i18n: ["acceptance", "report", "check"] };
export const clientLoader = preloadNamespaces(["acceptance", "report", "check"]);

/** @throws 404 if the run does not have this element; a redirect to the rule if its elements are withheld */
async function openElement(args: LoaderFunctionArgs) {
  const { category, rule: ruleId = "", page, position } = args.params;
  const report = await ownReport(args);
  const { run, head, withheld } = report;
  const rule = isCategory(category) && listsElements(category) ? report.allRules.find((each) => each.category === category && each.ruleId === ruleId) : undefined;
  if (!rule) throw data(null, { status: 404 });
  if (isLocked(rule, withheld)) throw redirect(rulePath(head.base, rule), 303);
  const element = await report.readers.reports.location(run.id, { category: rule.category, ruleId, pageId: readRowNumber(page), position: readRowNumber(position) });
  if (!element) throw data(null, { status: 404 });
  const place = `${rule.category}/${encodeURIComponent(ruleId)}/${element.pageId}/${element.position}`;
  return { report, rule, noted: { pageUrl: element.pageUrl, rule, element }, path: `${head.base}/notes/${place}`, back: `${head.base}/${place}` };
}

export async function loader(args: LoaderFunctionArgs) {
  const { report, rule, noted, path, back } = await openElement(args);
  const { head, locale, userId, withheld } = report;
  const t = textsOf(locale).getFixedT(null, "report");
  const kept = await args.context.visitor.takeKept(path);
  return data({
    meta: await reportMeta(args, report, `${t("notes.heading")}: ${ruleRow(rule, locale, withheld).title.text}`),
    head,
    category: rule.category,
    rule: ruleRow(rule, locale, withheld),
    element: { ...elementView(noted.element, locale), pageUrl: noted.pageUrl },
    notes: await args.context.services.findingNotes.of(userId, noted),
    // Unsaved note, kept while another note was deleted or the session had ended.
    begun: kept?.begun ?? kept?.note ?? "",
    kept: kept !== null && kept.begun === undefined,
    path,
    back,
  });
}

/** Adds a note, or deletes one. */
export async function action(args: ActionFunctionArgs) {
  const { report, noted, path } = await openElement(args);
  const { userId, locale } = report;
  const { findingNotes } = args.context.services;
  const { visitor } = args.context;
  const t = textsOf(locale).getFixedT(null, "acceptance");
  const form = await readForm(args.request);
  const removed = textField(form, "remove");
  if (removed) {
    if (await findingNotes.remove(userId, noted, removed)) await visitor.flash({ text: "noteDeleted", kind: "done" });
    const begun = textField(form, "note");
    if (begun) await visitor.keepForm({ path, fields: [["begun", begun]] });
    return redirect(path, 303);
  }
  const sent = await parseSentForm(args.request, args.context, form, noteSchema, (problem) => t(`note.problem.${problem as "missing"}`));
  if (!sent.value) return sent.refuse();
  if (!(await findingNotes.add(userId, noted, sent.value.note))) return sent.refuse({ note: "many" });
  await visitor.flash({ text: "noteSaved", kind: "done" });
  return redirect(path, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RunNotes() {
  const { head, category, rule, element, notes, begun, kept, path, back } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation(["acceptance", "report"]);
  return (
    <ReportFrame head={head} current={category}>
      <AnswerSummary answer={answer} />
      <ReportHeading host={head.host}>{t("report:notes.heading")}</ReportHeading>
      {kept && !answer && <KeptNotice isButton={begun === ""} />}
      <p className="lead">
        <LocalizedText {...rule.title} />
      </p>
      <p className="address">{element.pageUrl}</p>
      <ElementCode html={element.html} cut={element.htmlCut} />
      <p className="prose-line">{t("note.lead")}</p>
      {/* One form: deleting a note also sends the unsaved one. `key`: a new note empties the field. */}
      <Form className="form" method="post" action={path} noValidate preventScrollReset key={notes.length}>
        {notes.length > 0 && (
          <ul className="plain-list">
            {notes.map((note) => (
              <li key={note.id} className="given">
                <NoteText note={note} />
                <button className="button button-quiet" type="submit" name="remove" value={note.id} aria-label={t("note.removeAbout", { text: note.text.slice(0, 60) })}>
                  {t("note.remove")}
                </button>
              </li>
            ))}
          </ul>
        )}
        <TextArea id="note" name="note" label={t("note.label")} hint={t("note.hint")} error={errorOf(answer, "note")} defaultValue={answer?.values.note ?? begun} rows={4} required />
        <button className="button" type="submit">
          {t("note.submit")}
        </button>
      </Form>
      <ul className="link-list">
        <li>
          <Link to={back}>{t("note.back")}</Link>
        </li>
      </ul>
    </ReportFrame>
  );
}
