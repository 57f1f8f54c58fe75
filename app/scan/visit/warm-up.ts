import { analyse } from "~/scan/rules/analysis";
import type { FrameDirectory } from "~/scan/page/frame-directory";
import type { Tab } from "~/scan/page/tab";
import { openIsolatedWorld } from "~/scan/page/isolated-world";

const NO_FRAMES: FrameDirectory = {
  hasInnerFrames: () => false,
  innerFrame: () => ({ url: "", shown: false }),
  sessionOf: () => undefined,
};

/**
 * Makes a tab's process compile the analyser's script before the page is known, by analysing a sample: Chromium keeps
 * compiled code per process, and the first page loads in the empty tab's process. All else ends with the empty document.
 * It saves about as much time as it costs.
 */
export async function warmUp(tab: Tab, script: string, ownRules: string): Promise<void> {
  const isolatedWorld = await openIsolatedWorld(tab.session, tab.mainFrameId);
  await isolatedWorld.call(showSample, SAMPLE);
  await analyse(isolatedWorld, {
    standard: { version: "2.2", level: "AA" },
    script,
    ownRules,
    frames: NO_FRAMES,
    budgetMs: 5_000,
  });
}

function showSample(markup: string): void {
  document.documentElement.innerHTML = markup;
}

/** Sample with content for most rules. */
const SAMPLE = `<head><title>Sample</title></head><body>
<header><nav aria-label="a"><ul><li><a href="#a">One</a></li><li><a href="#b">Two</a></li></ul></nav></header>
<main><h1 id="a">Sample</h1><h2>Part</h2><p style="color:#777">Text with a <a href="#b">link</a> and <b>more</b> text.</p>
<p lang="de">Text <span style="position:relative;color:#999;background:#fff">above</span> <a href="#c"><img alt="" src="data:,">x</a></p>
<img alt="b" src="data:,"><svg role="img" aria-label="c"><title>d</title></svg><dl><dt>e</dt><dd>f</dd></dl>
<form><label>g <input autocomplete="name"></label><input aria-labelledby="a" type="checkbox"><button>h</button>
<select aria-label="i"><option>j</option></select><textarea title="k"></textarea></form>
<table><caption>l</caption><tr><th scope="col">m</th></tr><tr><td headers="">n</td></tr></table>
<div role="button" tabindex="0" aria-pressed="false">o</div><div role="list"><div role="listitem">p</div></div>
<div style="overflow:auto;height:20px"><p style="height:99px">q</p></div><video><track kind="captions"></video></main></body>`;
