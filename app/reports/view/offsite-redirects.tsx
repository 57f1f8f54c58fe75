import { PageAddress } from "~/findings/view/page-address";
import type { CrawlFacts } from "~/scan/crawl/facts";

/** Addresses of the site that redirect to another site: not its pages. */
export function OffsiteRedirects({ addresses }: { addresses: NonNullable<CrawlFacts["elsewhere"]> }) {
  return (
    <ul>
      {addresses.map(({ url, finalUrl, linkedFrom }) => (
        <li key={url}>
          <PageAddress url={url} reached={{ url: finalUrl, isOtherSite: true }} linkedFrom={linkedFrom} />
        </li>
      ))}
    </ul>
  );
}
