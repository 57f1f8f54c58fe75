/** Ready-made configuration for the CI pipelines of users. */
export interface Snippet {
  /** Name of the texts `tokens:docs.snippet.…`. */
  name: "githubScan" | "githubApi" | "gitlabScan" | "gitlabApi";
  file: string;
  code: string;
}

const EXAMPLE = "https://example.com/";

/** Start of a run by curl. @param origin origin of this installation */
export const curlExample = (origin: string): string => `curl ${origin}/api/v1/runs \\
  -H "Authorization: Bearer $RAMPE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "${EXAMPLE}"}'`;

/**
 * @param origin origin of this installation
 * @param sourceUrl address of Rampe's own repository
 */
export function snippets(origin: string, sourceUrl: string): Snippet[] {
  const clone = `git clone --depth 1 ${sourceUrl} rampe`;
  const scan = `npm run --silent --prefix rampe scan -- ${EXAMPLE}`;
  return [
    {
      name: "githubScan",
      file: ".github/workflows/accessibility.yml",
      code: `name: Accessibility
on: [push]
jobs:
  scan:
    runs-on: ubuntu-latest
    env:
      # Ubuntu denies a sandbox to other browsers.
      CHROME_PATH: /usr/bin/google-chrome
    steps:
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: ${clone}
      - run: ${scan} --json > rampe.json
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          path: rampe.json`,
    },
    {
      name: "githubApi",
      file: ".github/workflows/accessibility.yml",
      code: `name: Accessibility
on: [push]
jobs:
  scan:
    runs-on: ubuntu-latest
    env:
      RAMPE_TOKEN: \${{ secrets.RAMPE_TOKEN }}
      KEY: \${{ github.run_id }}-\${{ github.run_attempt }}
    steps:
      - shell: bash
        run: |
${indented(apiScript(origin), 10)}`,
    },
    {
      name: "gitlabScan",
      file: ".gitlab-ci.yml",
      code: `accessibility:
  image: node:22
  script:
    - ${clone}
    - ${scan} --json > rampe.json
  artifacts:
    when: always
    paths:
      - rampe.json`,
    },
    {
      name: "gitlabApi",
      file: ".gitlab-ci.yml",
      code: `accessibility:
  image: alpine:3
  variables:
    KEY: $CI_JOB_ID
  before_script:
    - apk add --no-cache curl jq
  script:
    - |
${indented(apiScript(origin), 6)}`,
    },
  ];
}

/** Script for a POSIX shell; `KEY` names the request, `RAMPE_TOKEN` is the token. */
function apiScript(origin: string): string {
  return `set -eu
ask() {
  curl --silent --show-error --fail-with-body --retry 3 -H "Authorization: Bearer $RAMPE_TOKEN" "$@"
}
runs=${origin}/api/v1/runs
started=$(ask "$runs" -H "Content-Type: application/json" -H "Idempotency-Key: $KEY" -d '{"url": "${EXAMPLE}"}') ||
  { echo "$started"; exit 1; }
run=$(echo "$started" | jq -r .id)
result=$(ask "$runs/$run")
while [ "$(echo "$result" | jq -r .finishedAt)" = null ]; do
  sleep 10
  result=$(ask "$runs/$run")
done
echo "$result" | jq --arg origin ${origin} '{status, reason, stats, report: ($origin + .links.report)}'
echo "$result" | jq -e '.status == "succeeded" and .stats.failedPages == 0 and .stats.violations == 0'`;
}

const indented = (text: string, spaces: number) => text.replace(/^(?=.)/gm, " ".repeat(spaces));
