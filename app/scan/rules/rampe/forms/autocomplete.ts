import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Success criterion 1.3.5. A person must decide whether a field asks about the person who fills it in. */
export const autocomplete: PageRule = {
  id: "rampe-autocomplete",
  since: "1.4.0",
  criteria: ["1.3.5"],
  level: "wcag21aa",
  category: "forms",
  impact: "moderate",
  selector: "input, select",
  judge(element, kit) {
    const field = element as HTMLInputElement | HTMLSelectElement;
    const isText = /^(text|email|tel)$/.test(field.type) && kit.matches(field, ":read-write");
    if ((!isText && kit.localName(field) !== "select") || !kit.matches(field, ":enabled") || !kit.isVisible(field)) return undefined;
    if (kit.around(field, "[role=search], search")) return undefined;
    // Labels in the form of `kit.plain`.
    const labels: [purpose: string, label: RegExp][] = [
      ["email", /^((ihre|deine|your) )?e ?mail( ?adresse| address)?$/],
      ["given-name", /^((ihr|dein|your) )?(vorname|first name|given name)$/],
      ["family-name", /^((ihr|dein|your) )?(nachname|familienname|last name|surname|family name)$/],
      ["name", /^((ihr|dein|your) name|vollständiger name|vor und nachname|vor und zuname|full name)$/],
      ["tel", /^((ihre|deine|your) )?(telefon|telefonnummer|rufnummer|handynummer|mobilnummer|phone|phone number|telephone|telephone number|mobile number)$/],
      ["postal-code", /^((ihre|deine|your) )?(plz|postleitzahl|zip|zip code|postcode|postal code)$/],
      ["street-address", /^((ihre|deine|your) )?(anschrift|straße|straße und hausnummer|straße hausnummer|straße nr|strasse|strasse und hausnummer|strasse nr|street|street address|address line 1)$/],
      ["country", /^((ihr|dein|your) )?(land|country|country or region|country region)$/],
      ["bday", /^((ihr|dein|your) )?(geburtsdatum|geburtstag|date of birth|birthday)$/],
    ];
    // All labels, because a field may have several by mistake.
    const names = [kit.name(field), ...[...(field.labels ?? [])].map((label) => kit.visibleText(label))].map((name) => kit.plain(name).replace(/ ?(pflichtfeld|erforderlich|required|optional)$/, ""));
    const purpose = labels.find(([, pattern]) => names.some((name) => pattern.test(name)))?.[0] ?? purposeOfType() ?? nameBesideAddress();
    if (!purpose) return undefined;
    const given = (field.getAttribute("autocomplete") ?? "").trim().toLowerCase();
    return given !== "" && given !== "on" && given !== "off" ? "passes" : { asks: "purpose", data: { purpose } };

    /** Purpose by the type, in any language. The words may ask for another person's address, or for another number. */
    function purposeOfType(): string | undefined {
      const isOfOther = names.some((name) => /empfäng|freund|kolleg|friend|recipient|someone|colleague|code|karte|card|iban|konto|number of|nummer der|betrag|amount/.test(name));
      return isOfOther || !/^(email|tel)$/.test(field.type) ? undefined : field.type;
    }

    /** Purpose of a field called "Name", which may be any name, except beside a person's address. */
    function nameBesideAddress(): string | undefined {
      return names.includes("name") && field.form && kit.first(field.form, "input[type=email], input[type=tel]") ? "name" : undefined;
    }
  },
};
