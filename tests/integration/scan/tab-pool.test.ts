import { expect, it } from "vitest";
import { createAddressPolicy } from "~/scan/network/address-policy";
import { createBrowserPool } from "~/scan/browser/browser-pool";
import { createNameService } from "~/scan/network/name-service";
import { createTabPool } from "~/scan/visit/tab-pool";
import { isSilenced, silenceScripts } from "~/scan/page/stop-scripts";
import { SIZE_LIMITS } from "~/scan/visit/visit";
import { browserPath } from "../../support/scan/scanner";

it("a tab whose scripts were silenced during its warm-up is not used for a page", async () => {
  const log = () => {};
  const policy = createAddressPolicy([]);
  const browsers = createBrowserPool({ executablePath: browserPath(), userAgent: "Rampe/test", log });
  const tabs = createTabPool({
    browsers,
    egress: { policy, names: createNameService({ policy }), log },
    limits: SIZE_LIMITS,
    count: 1,
    warmUp: ({ session }) => silenceScripts(session),
    log,
  });
  try {
    tabs.prepare();
    const { tab, close } = await tabs.take();
    expect(isSilenced(tab.session)).toBe(false);
    await close();
  } finally {
    await tabs.stop();
    await browsers.stop();
  }
});
