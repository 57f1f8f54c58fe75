/**
 * Jargon of public administration and IT, and idioms, by language: few readers outside the trade know them, and a learner of the language
 * cannot tell an idiom from its words. No word that everyday language or school uses, and no name. In small letters, in the singular.
 */
export const JARGON = {
  de: [
    // Administration and law
    ...["abhilfebescheid", "abtretungserklärung", "allgemeinverfügung", "amtshilfe", "antragsbefugnis", "aufschiebende wirkung"],
    ...["auflassungsvormerkung", "ausschlussfrist", "bedarfsgemeinschaft", "beitragsbemessungsgrenze", "bemessungsgrundlage", "bestandskraft"],
    ...["daseinsvorsorge", "erbbaurecht", "ermessensspielraum", "ersatzvornahme", "fiktionsbescheinigung", "flurstück"],
    ...["gemarkung", "gesamtschuldner", "glaubhaftmachung", "grunddienstbarkeit", "grundpfandrecht", "heranziehungsbescheid"],
    ...["inverkehrbringen", "kostenträger", "legaldefinition", "leistungsträger", "mitwirkungspflicht"],
    ...["nachteilsausgleich", "negativattest", "nießbrauch", "nutzungsuntersagung", "obliegenheit"],
    ...["planfeststellungsverfahren", "planfeststellungsbeschluss", "rechtsbehelf", "rechtsbehelfsbelehrung"],
    ...["restschuldbefreiung", "schriftformerfordernis", "stundung", "subsidiaritätsprinzip", "unbedenklichkeitsbescheinigung"],
    ...["verpflichtungserklärung", "verwaltungsakt", "verwendungsnachweis", "vorfälligkeitsentschädigung"],
    ...["widerspruchsbelehrung", "zuwendungsbescheid", "zur niederschrift", "zuwendungsempfänger"],
    // IT and management
    ...["backend", "best practice", "business case", "change management", "commit", "compliance", "deployment"],
    ...["due diligence", "endpoint", "frontend", "governance", "hypervisor", "interoperabilität", "lastverteilung"],
    ...["load balancer", "middleware", "microservice", "payload", "pseudonymisierung", "refactoring", "single sign on"],
    ...["stakeholder", "synergieeffekt", "time to market", "use case", "webhook"],
    // Idioms
    ...["auf die lange bank", "auf herz und nieren", "aus allen wolken", "das a und o", "das rad neu", "den kopf in den sand"],
    ...["die katze im sack", "durch die blume", "grünes licht", "in trockenen tüchern", "ins blaue hinein", "mit ins boot"],
    ...["über den tellerrand", "unter dach und fach", "unter einen hut"],
  ],
  en: [
    // Administration and law
    ...["ad valorem", "adjudicating", "affidavit", "appellant", "appurtenant", "chattel", "codicil", "conveyancing"],
    ...["curtilage", "de minimis", "easement", "encumbrance", "estoppel", "ex officio", "executrix", "forthwith"],
    ...["fiduciary", "force majeure", "forbearance", "garnishee", "hereinafter", "in lieu of", "indemnify", "indenture", "inter alia"],
    ...["interlocutory", "lienholder", "means tested", "mutatis mutandis", "novation", "pari passu", "per stirpes"],
    ...["prima facie", "pro rata", "promulgate", "pursuant", "remittance", "sole practitioner", "statutory instrument"],
    ...["subrogation", "testator", "tortfeasor", "ultra vires", "usufruct"],
    // IT and management
    ...["backend", "containerization", "due diligence", "frontend", "hypervisor", "idempotent", "interoperability"],
    ...["load balancer", "microservice", "middleware", "payload", "provisioning", "refactoring", "scalability"],
    ...["time to market", "value proposition", "webhook"],
    // Idioms
    ...["across the board", "back to the drawing board", "ballpark figure", "below the belt", "best of both worlds"],
    ...["bite the bullet", "boil the ocean", "cut corners", "elephant in the room", "get the ball rolling"],
    ...["hit the ground running", "hit the nail on the head", "jump on the bandwagon", "level playing field"],
    ...["low hanging fruit", "move the needle", "on the back burner", "red tape", "reinvent the wheel", "silver bullet"],
    ...["spill the beans", "spilled the beans", "the last straw", "tip of the iceberg", "think outside the box"],
    ...["under the weather"],
  ],
} as const satisfies Record<string, readonly string[]>;
