import { pageWith } from "../site";
import { checked, script, scripted, type HostilePage, type HostilePages } from "./kinds";

/** Page that allocates memory in an endless loop and blocks everything else. */
const greedy = (take: string, begin = "const kept = [];"): HostilePage => ({
  page: pageWith("", script(`onload = () => { ${begin} for (;;) { ${take} } }`)),
  // On a slow machine, it is stopped before it has allocated much memory.
  outcome: checked({ gaps: { unfinished: true }, partial: true, orElse: ["too_large", "timeout"] }),
});

export const memory: HostilePages = {
  "objects without end": greedy("for (let i = 0; i < 1000; i++) kept.push({ i, text: 'x' + i })"),
  "buffers without end": greedy("kept.push(new Uint8Array(10_000_000).fill(1))"),
  "elements without end": greedy(
    "for (let i = 0; i < 1000; i++) document.body.append(document.createElement('p'))"
  ),
  "texts without end": greedy("let text = 'x'.repeat(1e6); document.body.append(text + kept.push(text))"),
  "workers that take memory": scripted(
    "const url = URL.createObjectURL(new Blob(['const kept = []; for (;;) kept.push(new Uint8Array(10000000).fill(1))']));" +
      "for (let i = 0; i < 3; i++) new Worker(url); onload = () => { const until = Date.now() + 8000; while (Date.now() < until); }",
    // The workers may run out of memory before the page is stopped.
    { gaps: {}, orElse: ["too_large", "crashed"] }
  ),
  "pictures without end": scripted(
    "setInterval(() => { const c = document.createElement('canvas'); c.width = c.height = 4000; c.getContext('2d').fillRect(0, 0, 4000, 4000); document.body.append(c) }, 20)",
    { gaps: {}, orElse: ["too_large", "timeout", "crashed"] }
  ),
  "style rules without end": scripted(
    "const style = document.head.appendChild(document.createElement('style'));" +
      "setInterval(() => { for (let i = 0; i < 2000; i++) style.sheet.insertRule(`.x${i} { content: '${'x'.repeat(2000)}' }`) }, 5)",
    { gaps: {}, partial: true, orElse: ["too_large", "timeout", "crashed"] }
  ),
  "blobs without end": scripted(
    "const kept = []; setInterval(() => { for (let i = 0; i < 10; i++) kept.push(new Blob([new Uint8Array(5_000_000).fill(i)])) }, 5)",
    { gaps: {}, orElse: ["too_large", "timeout", "crashed"] }
  ),
};
