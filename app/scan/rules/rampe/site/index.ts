import type { SiteRule } from "~/scan/site/site-rule";
import { consistentNavigation } from "./consistent-navigation";

/** All rules of our own about whole sites. */
export const SITE_RULES: SiteRule[] = [consistentNavigation];
