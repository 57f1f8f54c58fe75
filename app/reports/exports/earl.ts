import { staysViolated, type Acceptance } from "~/findings/acceptance/acceptance";
import { reachedElsewhere } from "~/scan/redirect";
import type { CheckedPage, ElementResult, FindingResult, PageResult } from "~/scan/types";
import { addressNotes } from "./addresses";
import { addressesOf, criterionAddresses } from "./criterion-address";
import { failureText } from "./failure";
import { failureSummary } from "./failure-summary";
import { gapsOf, unlisted, unlistedText } from "./gaps";
import { notesOf } from "./notes";
import { nameOf, targetText, type Assessment, type Judgement, type RunFacts } from "./run";

/**
 * JSON-LD context: the terms of EARL 1.0 (https://www.w3.org/TR/EARL10-Schema/) and of vocabularies used with it. Defined
 * inline, so that readers do not have to fetch a context.
 */
const CONTEXT = {
  "@version": 1.1,
  earl: "http://www.w3.org/ns/earl#",
  dct: "http://purl.org/dc/terms/",
  doap: "http://usefulinc.com/ns/doap#",
  prov: "http://www.w3.org/ns/prov#",
  ptr: "http://www.w3.org/2009/pointers#",
  schema: "https://schema.org/",
  foaf: "http://xmlns.com/foaf/0.1/",
  xsd: "http://www.w3.org/2001/XMLSchema#",
  Evaluation: "prov:Activity",
  Assertion: "earl:Assertion",
  Assertor: "earl:Assertor",
  Software: "earl:Software",
  Person: "foaf:Person",
  TestSubject: "earl:TestSubject",
  TestCase: "earl:TestCase",
  TestRequirement: "earl:TestRequirement",
  TestResult: "earl:TestResult",
  WebPage: "schema:WebPage",
  CSSSelectorPointer: "ptr:CSSSelectorPointer",
  ExpressionPointer: "ptr:ExpressionPointer",
  startedAt: { "@id": "prov:startedAtTime", "@type": "xsd:dateTime" },
  endedAt: { "@id": "prov:endedAtTime", "@type": "xsd:dateTime" },
  assertions: { "@id": "prov:generated", "@container": "@set" },
  identifier: "dct:identifier",
  title: "dct:title",
  description: { "@id": "dct:description" },
  date: { "@id": "dct:date", "@type": "xsd:dateTime" },
  isPartOf: { "@id": "dct:isPartOf", "@type": "@id", "@container": "@set" },
  hasPart: { "@id": "dct:hasPart", "@container": "@set" },
  source: "dct:source",
  /** Final address of a page after redirects. */
  reached: "schema:url",
  status: "schema:creativeWorkStatus",
  name: "doap:name",
  revision: "doap:revision",
  assertedBy: { "@id": "earl:assertedBy", "@type": "@id" },
  subject: { "@id": "earl:subject", "@type": "@id" },
  test: { "@id": "earl:test", "@type": "@id" },
  mode: { "@id": "earl:mode", "@type": "@id" },
  result: "earl:result",
  outcome: { "@id": "earl:outcome", "@type": "@id" },
  info: "earl:info",
  pointer: "earl:pointer",
  expression: "ptr:expression",
} as const;

type Outcome = "failed" | "cantTell" | "passed" | "inapplicable" | "untested";

/** Node ids inside the document. */
const RAMPE = "_:rampe";
const STANDARD = "_:standard";
const WHOLE = "_:whole";

/**
 * A run as EARL 1.0 in JSON-LD, in parts, one page at a time: an assertion per element that violates a rule or needs
 * review, one per rule that only passed or is inapplicable, and one for everything that was not tested. People's assertions about success
 * criteria come first; their subject is the whole scan.
 */
export async function* earlParts(run: RunFacts, pages: AsyncIterable<PageResult>): AsyncGenerator<string, void> {
  const rules = new Map<string, Partial<ReturnType<typeof testCase>>>();
  const subjects: ReturnType<typeof subject>[] = [];
  const people = new Map<string, string>();
  const nameOfPerson = (by: string) => people.get(by) ?? (people.set(by, `_:person${people.size}`), people.get(by) ?? "");
  yield `${JSON.stringify(evaluation(run)).slice(0, -1)},"assertions":[`;
  const byHand = (run.assessments ?? []).map((assessment) => JSON.stringify(assessed(assessment, nameOfPerson(assessment.by))));
  yield byHand.join(",\n");
  let between = byHand.length > 0 ? ",\n" : "";
  for await (const page of pages) {
    const id = `_:page${subjects.length}`;
    subjects.push(subject(id, page));
    // A rule that was unfinished on an earlier page has no title yet.
    for (const finding of findingsOf(page)) if (rules.get(finding.ruleId)?.title === undefined) rules.set(finding.ruleId, testCase(finding));
    for (const ruleId of unfinished(page)) if (!rules.has(ruleId)) rules.set(ruleId, unknownCase(ruleId));
    const assertions = [...assertionsOf(page, run)].map((statement) => {
      const { judgement } = statement;
      return JSON.stringify(assertionOn(id, page, statement, judgement && nameOfPerson(judgement.by)));
    });
    yield `${between}${assertions.join(",\n")}`;
    between = ",\n";
  }
  yield `],"@included":${JSON.stringify([...assertors(run), requirement(run), ...rules.values(), ...subjects, ...[...people].map(person), ...wholeOf(run)])}}\n`;
}

function evaluation(run: RunFacts) {
  const notes = notesOf(run).map(({ text }) => text);
  return {
    "@context": CONTEXT,
    "@id": "_:evaluation",
    "@type": "Evaluation",
    identifier: run.id,
    title: `Accessibility evaluation of ${run.url}`,
    source: run.url,
    startedAt: new Date(run.createdAt).toISOString(),
    endedAt: new Date(run.finishedAt).toISOString(),
    ...(run.status ? { status: run.status } : {}),
    ...(notes.length > 0 ? { description: notes } : {}),
  };
}

function assertors({ product, engines }: RunFacts) {
  const parts = engines.map(({ name, version }, index) => {
    return { "@id": `_:engine${index}`, "@type": ["Assertor", "Software"], name, revision: version };
  });
  const hasPart = parts.map((part) => ({ "@id": part["@id"] }));
  return [{ "@id": RAMPE, "@type": ["Assertor", "Software"], name: product, ...(parts.length > 0 ? { hasPart } : {}) }, ...parts];
}

const person = ([name, id]: [string, string]) => ({ "@id": id, "@type": ["Assertor", "Person"], title: name });

const requirement = ({ standard }: RunFacts) => ({
  "@id": STANDARD,
  "@type": "TestRequirement",
  title: nameOf(standard),
  source: `https://www.w3.org/TR/WCAG${standard.version.replace(".", "")}/`,
});

/** Success criteria that people assessed, with the subject of their assessment. */
function wholeOf({ url, assessments = [] }: RunFacts) {
  if (assessments.length === 0) return [];
  const criteria = assessments.map(({ criterion }) => ({ "@id": criterionCase(criterion), "@type": "TestRequirement", identifier: criterion, isPartOf: [STANDARD], source: addressesOf(criterion) }));
  return [{ "@id": WHOLE, "@type": ["TestSubject"], source: url }, ...criteria];
}

const criterionCase = (criterion: string) => `_:criterion-${criterion}`;

const subject = (id: string, page: PageResult) => ({
  "@id": id,
  "@type": ["TestSubject", "WebPage"],
  source: page.url,
  ...(reachedElsewhere(page) === null ? {} : { reached: page.finalUrl }),
  ...(page.status === "succeeded" && page.title ? { title: page.title } : {}),
});

const testCase = ({ ruleId, help, description, helpUrl, tags }: FindingResult) => ({
  "@id": ruleName(ruleId),
  "@type": "TestCase",
  identifier: ruleId,
  title: help,
  description,
  source: helpUrl,
  isPartOf: criterionAddresses(tags),
});

/** Rule without a result on any page so far. */
const unknownCase = (ruleId: string) => ({ "@id": ruleName(ruleId), "@type": "TestCase", identifier: ruleId });

const unfinished = (page: PageResult) => (page.status === "failed" ? [] : page.partial);

const ruleName = (ruleId: string) => `_:rule-${ruleId.replace(/[^\w-]/g, "_")}`;

function findingsOf(page: PageResult): FindingResult[] {
  return page.status === "failed" ? [] : Object.values(page.findings).flat();
}

interface Statement {
  /** Undefined: the whole standard, not one rule. */
  test?: string;
  outcome: Outcome;
  info?: string;
  element?: ElementResult;
  /** Person's judgement, in place of the engine's. */
  judgement?: Judgement;
}

function assertionOn(
  subject: string,
  { checkedAt }: PageResult,
  { test, outcome, info, element, judgement }: Statement,
  person = RAMPE,
) {
  return {
    "@type": "Assertion",
    subject,
    test: test ?? STANDARD,
    assertedBy: person,
    mode: judgement ? "earl:manual" : "earl:automatic",
    result: {
      "@type": "TestResult",
      outcome: `earl:${outcome}`,
      date: new Date(judgement?.at ?? checkedAt).toISOString(),
      ...(info ? { info } : {}),
      ...(element ? { pointer: pointer(element), description: element.html } : {}),
    },
  };
}

/** Selector of an element. A CSS selector cannot select inside frames and shadow roots. */
function pointer({ target }: ElementResult) {
  const [only] = target;
  const isSelector = target.length === 1 && typeof only === "string";
  return { "@type": isSelector ? "CSSSelectorPointer" : "ExpressionPointer", expression: targetText(target) };
}

function* assertionsOf(page: PageResult, run: RunFacts): Generator<Statement> {
  if (page.status === "failed") {
    yield { outcome: "untested", info: [`Not checked: ${page.reason}, ${failureText(page)}`, ...addressNotes(page)].join(". ") };
    return;
  }
  yield* statementsOf(page, run);
  for (const { kind, text, ruleId } of gapsOf(page)) {
    yield { outcome: "untested", info: text, ...(kind === "rule" && ruleId ? { test: ruleName(ruleId) } : {}) };
  }
}

function* statementsOf({ url, findings }: CheckedPage, { judgementOf, accepted }: RunFacts): Generator<Statement> {
  for (const finding of findings.violations) {
    yield* eachElement(finding, "failed");
    for (const element of finding.elements) {
      const acceptance = accepted?.ofElement({ pageUrl: url, rule: finding, element });
      if (acceptance) yield acceptedByHand(finding, element, acceptance);
    }
    const ofRule = unlisted(finding) > 0 ? accepted?.ofRule(finding) : undefined;
    if (ofRule) yield acceptedByHand(finding, undefined, ofRule);
  }
  for (const finding of findings.incomplete) {
    yield* eachElement(finding, "cantTell");
    for (const element of finding.elements) {
      const judgement = judgementOf?.({ pageUrl: url, rule: finding, element });
      if (judgement) yield judged(finding, element, judgement);
    }
  }
  // Other elements of the page may have passed, but the rule's outcome on the page is not "passed" then.
  const found = new Set([...findings.violations, ...findings.incomplete].map(({ ruleId }) => ruleId));
  const without = (rules: FindingResult[]) => rules.filter(({ ruleId }) => !found.has(ruleId));
  for (const { ruleId } of without(findings.passes)) yield { test: ruleName(ruleId), outcome: "passed" };
  for (const { ruleId } of without(findings.inapplicable)) yield { test: ruleName(ruleId), outcome: "inapplicable" };
}

const ASSESSED: Record<Assessment["verdict"], Outcome> = { fulfilled: "passed", not_fulfilled: "failed", not_applicable: "inapplicable", open: "untested" };

/** A person's verdict on a success criterion. */
function assessed({ criterion, verdict, note, at }: Assessment, by: string) {
  return {
    "@type": "Assertion",
    subject: WHOLE,
    test: criterionCase(criterion),
    assertedBy: by,
    mode: "earl:manual",
    result: { "@type": "TestResult", outcome: `earl:${ASSESSED[verdict]}`, date: new Date(at).toISOString(), ...(note ? { info: note } : {}) },
  };
}

const JUDGED: Record<Judgement["answer"], Outcome> = { problem: "failed", no_problem: "passed", ignore: "cantTell" };

/** Person's answer to a result that the engine could not decide. */
function judged({ ruleId }: FindingResult, element: ElementResult, judgement: Judgement): Statement {
  const { answer, reason } = judgement;
  return { test: ruleName(ruleId), outcome: JUDGED[answer], element, judgement, ...(reason ? { info: reason } : {}) };
}

/** Accepted violation: still a violation, unless a person judged it to be no barrier. @param element undefined: those that are not listed */
function acceptedByHand({ ruleId }: FindingResult, element: ElementResult | undefined, acceptance: Acceptance): Statement {
  const { kind, lastDay, reason, by, at } = acceptance;
  const until = lastDay === null ? "" : `, until ${lastDay}`;
  return { test: ruleName(ruleId), outcome: staysViolated(acceptance) ? "failed" : "passed", element, judgement: { answer: "ignore", reason, by, at }, info: `Accepted (${kind}${until}): ${reason}` };
}

function* eachElement(finding: FindingResult, outcome: Outcome): Generator<Statement> {
  const test = ruleName(finding.ruleId);
  for (const element of finding.elements) yield { test, outcome, element, info: failureSummary(element.checks) };
  const more = unlisted(finding);
  if (more > 0) yield { test, outcome, info: `${unlistedText(finding)}.` };
}
