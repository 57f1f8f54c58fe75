const words = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(" ")));

/** Parameters of campaigns, mails and analytics that name a visitor's origin. */
const TRACKING = words(
  "gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl _gac",
  "fbclid igshid igsh msclkid yclid ymclid _openstat twclid ttclid li_fat_id epik rdt_cid",
  "mc_cid mc_eid mkt_tok _kx s_kwcid ef_id wickedid rb_clickid zanpid irclickid hsctatracking",
  "_hsenc _hsmi oly_anon_id oly_enc_id xtor at_medium at_campaign cmpid s_cid",
  "ns_campaign ns_mchannel ns_source ns_linkname",
);
const TRACKING_FAMILY =
  /^(?:(?:utm|pk|mtm|matomo|piwik|hsa|vero|fb_action|ml_subscriber|_bta)[._]|__hs[a-z]|fb_(?:source|ref)$|wt[._]z?mc)/i;

/** Parameters with a visitor's session id; those with common names only if the value looks like one. */
const SESSION = words(
  "phpsessid jsessionid sessionid session_id sess_id sessid oscsid zenid xtcsid modsid cfid cftoken ___sid",
);
const MAYBE_SESSION = words("sid s session token");
const LOOKS_LIKE_SESSION = /^(?=.*\d)[\da-z,-]{16,}$/i;

/** Parameters of links that change a cart or a list, or open a reply, on their own page. */
const ACTION = words(
  "add-to-cart add_to_cart add_to_wishlist add_to_compare remove_item undo_item remove_from_wishlist replytocom",
);

const SIGN_OUT = /^(?:log|sign)[-_.]?(?:out|off)$|^(?:abmelden|ausloggen|logoff|deconnexion|cerrar[-_]?sesion)$/i;

/** Does an address end the visitor's session, by its path or a parameter? */
export function isSignOut(address: string): boolean {
  const { pathname, searchParams } = new URL(address);
  const words = [...pathname.split("/").map((segment) => segment.replace(/\.\w{2,5}$/, "")), ...[...searchParams].flatMap(([name, value]) => [name, value])];
  return words.some((word) => SIGN_OUT.test(word));
}

/** Does a parameter concern only the visitor? The page is the same without it. */
export function isOfVisitor(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (TRACKING.has(lower) || TRACKING_FAMILY.test(lower) || SESSION.has(lower) || ACTION.has(lower)) return true;
  return MAYBE_SESSION.has(lower) && LOOKS_LIKE_SESSION.test(value);
}

const SORTING = words(
  "sort sortby sortorder sortdir sortdirection sortfield sortcolumn sorttype sortierung sortieren",
  "orderby orderdir orderdirection orderway productlistorder productlistdir filterorder filterorderdir",
);
/** Sort orders only with these values: the names also mean purchases, folders, and much else. */
const MAYBE_SORTING = new Map([
  ["order", /^\D*$/],
  ["dir", /^(?:asc|desc|ascending|descending|up|down)$/i],
  ["direction", /^(?:asc|desc|ascending|descending|up|down)$/i],
  // Apache's file lists.
  ["c", /^[NMSD](?:;O=[AD])?$/],
  ["o", /^[AD]$/],
]);

const CACHE_BUSTER = words("_ ts timestamp nocache cachebuster cb rand random rnd");
const WAY_BACK = words(
  "return returnto returnurl returnuri redirect redirectto redirecturl redirecturi next back backto backurl",
  "camefrom referer referrer continue destination dest goto origin",
);

/** Does a parameter not change the page: sort order, cache buster, return address after signing in? */
export function doesNotChangePage(name: string, value: string): boolean {
  const word = wordOf(name);
  if (SORTING.has(word) || MAYBE_SORTING.get(word)?.test(value)) return true;
  if (CACHE_BUSTER.has(word) && /^(?:\d{6,}|0?\.\d+)$/.test(value)) return true;
  return WAY_BACK.has(word) && /^(?:https?:)?\/|\.(?:html?|php|aspx?)\b/i.test(value);
}

const LANGUAGE = words("l lang language locale hl lng sprache langid");
const PART_OF_LIST = words(
  "page paged pageno pagenumber pageindex currentpage p pg seite offset start startat skip from cpage",
);
/** TYPO3's checksum of its own addresses. */
const CHECKSUM = "chash";

/** Is a parameter a choice that can be combined endlessly? Languages, dates and pagination are not. */
export function isChoice(name: string, value: string): boolean {
  const word = wordOf(name);
  return !isDate(name, value) && !LANGUAGE.has(word) && !PART_OF_LIST.has(word) && word !== CHECKSUM;
}

const DATE_NAME = words(
  "date day week month year datum tag woche monat jahr yr cw kw mois jour annee begin until",
  "eventdate tribebardate startdate enddate datefrom dateto caldate calmonth calyear",
);
const YEAR_FIRST = /^(?:19|20|21)\d\d[-/.]?(?:0?[1-9]|1[0-2]|w\d\d)(?:[-/.]?(?:0?[1-9]|[12]\d|3[01])(?:[t ].*)?)?$/i;
const YEAR_LAST = /^(?:(?:0?[1-9]|[12]\d|3[01])[-/.])?(?:0?[1-9]|1[0-2])[-/.](?:19|20|21)\d\d$/;

/** Does a parameter name a day, month or year? */
export function isDate(name: string, value: string): boolean {
  if (DATE_NAME.has(wordOf(name)) && /^\d[\d.:/-]*$/.test(value)) return true;
  return /\D/.test(value) && (YEAR_FIRST.test(value) || YEAR_LAST.test(value));
}

/** `Sort_By` and `list[sort-by]` as `sortby`. */
function wordOf(name: string): string {
  const inner = /\[([^[\]]+)\]$/.exec(name)?.[1] ?? name;
  return inner === "_" ? inner : inner.toLowerCase().replace(/[_-]/g, "");
}
