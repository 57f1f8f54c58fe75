import type { SiteRule } from "~/scan/site/site-rule";
import { consistentHelp } from "./consistent-help";
import { consistentIdentification } from "./consistent-identification";
import { consistentNavigation } from "./consistent-navigation";
import { deadLink } from "./dead-link";
import { languageVersion } from "./language-version";
import { moreWays } from "./more-ways";
import { sameName } from "./same-name";
import { sameTitle } from "./same-title";

/** All rules of our own about whole sites. */
export const SITE_RULES: SiteRule[] = [consistentNavigation, consistentIdentification, consistentHelp, moreWays, sameTitle, sameName, deadLink, languageVersion];
