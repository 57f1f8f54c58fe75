/** Topics for links to the contact form (`?topic=…`); `contact:topic.…` has the texts. */
const CONTACT_TOPICS = ["enterprise", "scan-failed", "barrier", "billing"] as const;
export type ContactTopic = (typeof CONTACT_TOPICS)[number];

const LONGEST_ADDRESS = 2_048;

/** The topic and the web address of a link, if they are valid. */
export function topicOf(search: URLSearchParams): { topic: ContactTopic | null; url: string } {
  const named = search.get("topic");
  return { topic: CONTACT_TOPICS.find((topic) => topic === named) ?? null, url: webAddress(search.get("url") ?? "") };
}

/** The web address; "" for other text. */
function webAddress(typed: string): string {
  if (typed.length > LONGEST_ADDRESS || !URL.canParse(typed)) return "";
  const url = new URL(typed);
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" ? url.href : "";
}
