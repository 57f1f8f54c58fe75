import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 2.2.6: a script ends the session after a fixed time, and the page does not tell how long that is. Whether data is lost, only a
 * person can find out. A note elsewhere, such as in an earlier step, is not seen.
 */
export const sessionTimeout: PageRule = {
  id: "rampe-session-timeout",
  since: "1.21.0",
  criteria: ["2.2.6"],
  level: "wcag21aaa",
  category: "time-and-media",
  impact: "moderate",
  selector: "html",
  isAdvanced: true,
  judge(_element, kit) {
    const limit = self === top ? kit.timeLimits().find(({ endsSession }) => endsSession) : undefined;
    if (!limit) return undefined;
    const data = { seconds: Math.round(limit.ms / 1_000), code: limit.code };
    const notes = kit.visibleText(document.body).split(/(?<=[.!?])\s+/).filter(isAboutSessions);
    const told = notes.map((note) => ({ note, times: timesIn(note) })).filter(({ times }) => times.length > 0);
    // Notes are rounded.
    if (told.some(({ times }) => times.some((ms) => Math.abs(ms - limit.ms) <= limit.ms / 20))) return "passes";
    const [other] = told;
    return other ? { asks: "other", data: { ...data, note: kit.excerpt(other.note) } } : { asks: "untold", data };

    function isAboutSessions(sentence: string): boolean {
      const words = [
        ...["session", "sitzung", "abgemeldet", "abmeld", "(sign|logg?)(ed)?[ -]?out"],
        ...["ina[ck]tiv", "idle", "untätig", "ohne (eingabe|aktivität|tätigkeit)"],
        ...["time[ -]?(out|limit)", "expire", "läuft", "laufen", "abl[aä]uf", "verfällt", "verfallen", "verloren", "gelöscht"],
        ...["reserv", "(minuten|stunden) zeit", "\\blost\\b", "\\bdeleted\\b", "\\bheld\\b"],
      ];
      return new RegExp(words.join("|"), "i").test(sentence);
    }

    /** Durations in a sentence, in ms: "20 minutes", "zwanzig Minuten", "half an hour". */
    function timesIn(sentence: string): number[] {
      const numbers: Record<string, number> = {
        ...{ a: 1, an: 1, one: 1, two: 2, three: 3, five: 5, ten: 10, fifteen: 15, twenty: 20, thirty: 30, forty: 40, sixty: 60 },
        ...{ eine: 1, einer: 1, zwei: 2, drei: 3, fünf: 5, zehn: 10, fünfzehn: 15, zwanzig: 20, dreißig: 30, vierzig: 40, sechzig: 60 },
        ...{ "forty-five": 45, fünfundvierzig: 45, half: 0.5, quarter: 0.25 },
      };
      const lower = sentence.toLowerCase();
      const words = lower.replace(/half (an )?(?=hour)|halben? (?=stunde)/g, "half-").replace(/quarter of an |viertel(?=stunde)/g, "quarter-");
      const longest = 1_000;
      const found = words.slice(0, longest).matchAll(/(?<![\p{L}\d.,-])(\d+(?:[.,]\d+)?|\p{L}+(?:-\p{L}+)?)[\s-]{0,3}(sekunde|second|min(?=\P{L}|ute|$)|stunde|std|hour)/gu);
      return [...found].flatMap(([, count = "", unit = ""]) => {
        const number = /^\d/.test(count) ? Number(count.replace(",", ".")) : numbers[count];
        return number === undefined ? [] : [number * (/^se/.test(unit) ? 1_000 : unit === "min" ? 60_000 : 3_600_000)];
      });
    }
  },
};
