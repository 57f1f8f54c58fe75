/** Signs of a bot protection in an answer. */
export interface AnswerSigns {
  status: number;
  /** Headers by lower-case name. */
  headers: Record<string, string>;
  title: string;
  /** The document's markup if it is small, else "". */
  markup: string;
}

interface Challenge {
  vendor: string;
  /** All given conditions must match. */
  status?: number[];
  header?: { name: string; value: RegExp };
  title?: RegExp;
  markup?: Pick<RegExp, "test">;
}

/** Tests for both, one after the other. A single expression would try every pair of places: markup is hostile, and this runs in the server. */
function inOrder(first: RegExp, second: RegExp): Pick<RegExp, "test"> {
  return {
    test(text) {
      const at = text.search(first);
      return at >= 0 && second.test(text.slice(at));
    },
  };
}

const REFUSING = [403, 405, 406, 429, 503];

/**
 * Signs of pages that ask a visitor to prove to be human, or reject a supposed bot. Ordinary pages contain scripts of
 * these vendors too, so each row needs a sign that only their own pages have.
 */
const CHALLENGES: Challenge[] = [
  { vendor: "Cloudflare", header: { name: "cf-mitigated", value: /challenge|block/i } },
  { vendor: "Cloudflare", title: /^(just a moment|attention required! \| cloudflare)/i },
  {
    vendor: "Cloudflare",
    markup:
      /\/cdn-cgi\/challenge-platform\/[^"']{0,200}\/orchestrate\/|id="challenge-(form|error-text)"|class="cf-error-details/,
  },
  { vendor: "DataDome", status: REFUSING, header: { name: "x-datadome", value: /./ } },
  { vendor: "DataDome", markup: /(geo|ct)\.captcha-delivery\.com/ },
  { vendor: "Akamai", status: [403], header: { name: "server", value: /akamaighost/i } },
  {
    vendor: "Akamai",
    title: /^access denied$/i,
    markup: /errors\.edgesuite\.net|Reference&nbsp;#|Reference #\d+\./,
  },
  { vendor: "Akamai", markup: /\/_sec\/cp_challenge\/|sec-if-cpt-container|id="sec-overlay"/ },
  { vendor: "HUMAN (PerimeterX)", markup: /id="px-captcha"|captcha\.px-cdn\.net|px-captcha-container/ },
  { vendor: "Imperva", markup: /Incapsula incident ID|<iframe[^<>]+_Incapsula_Resource/i },
  { vendor: "AWS WAF", header: { name: "x-amzn-waf-action", value: /challenge|captcha/i } },
  { vendor: "Vercel", header: { name: "x-vercel-mitigated", value: /challenge|deny/i } },
  { vendor: "Sucuri", header: { name: "x-sucuri-block", value: /./ } },
  { vendor: "Sucuri", title: /^sucuri website firewall/i },
  { vendor: "DDoS-Guard", status: REFUSING, header: { name: "server", value: /^ddos-guard/i } },
  { vendor: "Kasada", status: REFUSING, header: { name: "x-kpsdk-ct", value: /./ } },
  { vendor: "Kasada", status: REFUSING, markup: /window\.KPSDK|\/ips\.js\?/ },
  { vendor: "F5", markup: /the requested url was rejected\. please consult with your administrator/i },
  { vendor: "F5", markup: inOrder(/\/TSPD\/[^"']/, /please enable javascript to view the page content/i) },
  { vendor: "Anubis", markup: /id="anubis_challenge"|\/\.within\.website\/x\/cmd\/anubis\// },
  { vendor: "Google", title: /^sorry\b/i, markup: /unusual traffic from your computer network/i },
  {
    vendor: "a captcha",
    status: REFUSING,
    markup: /class="(g-recaptcha|h-captcha|cf-turnstile|frc-captcha)/,
  },
  {
    vendor: "a check of the browser",
    title:
      /^(robot or human|are you a robot|are you human|human verification|verify you are human|security check|checking your browser|ddos protection by)/i,
  },
];

/** Vendor of the protection that answered instead of the site, if any. */
export function botProtection(signs: AnswerSigns): string | undefined {
  return CHALLENGES.find((challenge) => fits(challenge, signs))?.vendor;
}

function fits({ status, header, title, markup }: Challenge, signs: AnswerSigns): boolean {
  if (status && !status.includes(signs.status)) return false;
  if (header && !header.value.test(signs.headers[header.name] ?? "")) return false;
  if (title && !title.test(signs.title.trim())) return false;
  return !markup || markup.test(signs.markup);
}
