import { expect, test } from "vitest";
import { canJudge, languageOfParts, otherLanguage } from "~/scan/rules/rampe/languages/detect";

test("a long text in another language than declared is certain", () => {
  const text = "Die Bibliothek öffnet am Montag um neun Uhr, und wir freuen uns auf Ihren Besuch in unseren neuen Räumen.";
  expect(otherLanguage({ declared: "en", text, isMarked: true })).toEqual({ declared: "en", detected: "de", isCertain: true });
  expect(otherLanguage({ declared: "de-AT", text, isMarked: true })).toBeNull();
});

test("a short text that only resembles another language is a question at most", () => {
  const text = "Telecommunications services, but not data transmission between machines.";
  expect(otherLanguage({ declared: "en", text, isMarked: true })?.isCertain ?? false).toBe(false);
});

test("nothing is said of a language that the detector does not know", () => {
  const text = "Déi Säit ass op Lëtzebuergesch geschriwwen, mat engem laangen Text iwwer d’Stad an hir Geschicht.";
  expect(otherLanguage({ declared: "lb", text, isMarked: true })).toBeNull();
  expect(otherLanguage({ declared: "not a language", text, isMarked: true })).toBeNull();
});

test("a page in Danish, which the detector takes for Dutch, is left alone", () => {
  const text = "Biblioteket åbner mandag klokken ni, og vi glæder os til at se dig i vores nye lokaler ved siden af stationen.";
  expect(otherLanguage({ declared: "da", text, isMarked: true })).toBeNull();
});

test.each([
  ["de", "nl", "Ik heb het boek niet gelezen"],
  ["fr", "en", "Tickets are at the door"],
  ["en", "de", "Wir sind bald wieder für Sie da, auch im neuen Haus"],
  ["da", "en", "This is the page of the library, which you can visit if there are no holidays. When it is open, the readers are in the hall, and they have what they need."],
])("function words show that a text declared as %s is %s", (declared, detected, text) => {
  expect(otherLanguage({ declared, text, isMarked: true })).toEqual({ declared, detected, isCertain: true });
});

test.each([
  ["a title in another language", "de", "The Lord of the Rings: Karten, Termine, Preise, Anfahrt"],
  ["a quotation", "de", "Das Lied heißt „You are the one that I have“ und ist von 1978."],
  ["a close neighbour", "af", "Die biblioteek is in die stad, en die boeke van die jaar is op die rak by die deur. Dit is nie ver van die stasie om te loop nie, en ek dink dat hy ook kom."],
  ["names alone", "fr", "Berlin, Paris, Madrid"],
])("function words say nothing certain of %s", (_what, declared, text) => {
  expect(otherLanguage({ declared, text, isMarked: true })?.isCertain ?? false).toBe(false);
});

test("a text is not judged if it is short, or in a language that we do not know", () => {
  const text = "Die Bibliothek öffnet am Montag um neun Uhr.";
  expect(canJudge({ declared: "de", text, isMarked: true })).toBe(true);
  expect(canJudge({ declared: "de", text: "Kontakt", isMarked: true })).toBe(false);
  expect(canJudge({ declared: "lb", text, isMarked: true })).toBe(false);
});

test("filler text has no language", () => {
  const text = "Praesent faucibus leo feugiat libero pharetra lacinia. Aliquam aliquet ante vitae mollis vestibulum, etiam varius luctus mauris non porttitor.";
  expect(otherLanguage({ declared: "en", text, isMarked: false })).toBeNull();
});

test("a page whose text is marked as another language is a question; one with text of its own, or in several languages, is not", () => {
  const part = (declared: string) => ({ declared, text: "Die Bibliothek öffnet am Montag um neun Uhr.", isMarked: true });
  const page = { declared: "en", text: "Library", isMarked: true };
  expect(languageOfParts(page, [part("de"), part("de-AT")])).toEqual({ declared: "en", detected: "de", isCertain: false });
  expect(languageOfParts({ ...page, text: "The library opens on Monday at nine, on all days" }, [part("de")])).toBeNull();
  expect(languageOfParts(page, [part("de"), part("fr")])).toBeNull();
  expect(languageOfParts(page, [part("en")])).toBeNull();
  expect(languageOfParts(page, [])).toBeNull();
});
