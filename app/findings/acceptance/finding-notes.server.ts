import type { Db } from "db/schema";
import { randomId } from "~/platform/crypto/tokens.server";
import { fingerprintOf } from "~/findings/fingerprint.server";
import { ruleKey } from "~/findings/rules/rule-key";
import type { ElementResult, FindingResult } from "~/scan/types";
import { pathAndQuery } from "~/findings/page-address";

/** Limit for one element: enough for a discussion, too few to fill the disk. */
const MOST_NOTES = 100;

/** Element on a page, from a run. */
interface NotedElement {
  pageUrl: string;
  rule: Pick<FindingResult, "source" | "ruleId">;
  element: Pick<ElementResult, "target" | "html">;
}

export interface FindingNote {
  id: string;
  text: string;
  /** Name of the person. */
  by: string;
  /** Unix time in ms. */
  at: number;
}

export type FindingNotes = ReturnType<typeof createFindingNotes>;

/** Notes of people on a finding. They belong to a user, page, rule and fingerprint, so every run with that finding has them. */
export function createFindingNotes({ db, now = Date.now }: { db: Db; now?: () => number }) {
  return { of, add, remove };

  /** Notes of an element, the earliest first. */
  async function of(owner: string, noted: NotedElement): Promise<FindingNote[]> {
    return db
      .selectFrom("finding_note")
      .leftJoin("user", "user.id", "finding_note.written_by")
      .select(["finding_note.id", "finding_note.text", "finding_note.written_at as at"])
      .select((eb) => eb.fn.coalesce("user.name", eb.val("")).as("by"))
      .where((eb) => eb.and(keyOf(owner, noted)))
      .orderBy("finding_note.written_at")
      .orderBy("finding_note.id")
      .execute();
  }

  /** Idempotent: a text equal to the writer's latest note is not saved again (double click). @returns false if the element has too many notes */
  async function add(owner: string, noted: NotedElement, text: string): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const notes = await trx
        .selectFrom("finding_note")
        .select(["text", "written_by as by"])
        .where((eb) => eb.and(keyOf(owner, noted)))
        .orderBy("written_at", "desc")
        .execute();
      if (notes.find(({ by }) => by === owner)?.text === text) return true;
      if (notes.length >= MOST_NOTES) return false;
      await trx
        .insertInto("finding_note")
        .values({ id: randomId(), ...keyOf(owner, noted), text, written_by: owner, written_at: now() })
        .execute();
      return true;
    });
  }

  /** @returns false if the user has no such note on the element */
  async function remove(owner: string, noted: NotedElement, id: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom("finding_note")
      .where((eb) => eb.and(keyOf(owner, noted)))
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}

function keyOf(owner: string, { pageUrl, rule, element }: NotedElement) {
  return { owner, origin: new URL(pageUrl).origin, path: pathAndQuery(pageUrl), rule: ruleKey(rule), fingerprint: fingerprintOf(element) };
}
