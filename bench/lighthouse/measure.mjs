// Runs Lighthouse over screens of a running server: once as a desktop, once as a phone, each in a browser context of
// its own, so that nothing is cached and no session is left of another. What to do comes as JSON on standard input:
// { browser, base, runs, session, screens: [{ name, path, isSignedIn }] }; what was found goes to standard output,
// a line of JSON for each screen and form.
import { text } from "node:stream/consumers";
import lighthouse, { desktopConfig } from "lighthouse";
import { launch } from "puppeteer-core";

const FLAGS = [
  "--no-sandbox",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-quic",
  "--disable-sync",
  "--headless=new",
];
const METRICS = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
  "speed-index",
];

/** A busy machine now and then loses a trace, or the first paint. */
const ATTEMPTS = 3;

const asked = JSON.parse(await text(process.stdin));
const forms = { desktop: desktopConfig, mobile: undefined };

/** Audits of a category that did not pass, with the first elements they name. */
function faults(report, category) {
  return report.categories[category].auditRefs
    .map((ref) => report.audits[ref.id])
    .filter(
      (audit) =>
        audit.score !== null &&
        audit.score < 0.9 &&
        !METRICS.includes(audit.id),
    )
    .map((audit) => {
      const rows = audit.details?.items ?? [];
      const where = rows
        .slice(0, 4)
        .map((row) => row.node?.selector ?? row.url ?? row.label);
      const of = where.filter(Boolean).join(", ");
      const value = audit.displayValue ? ` (${audit.displayValue})` : "";
      return `${audit.id}${value}${of ? `: ${of}` : ""}`;
    });
}

/** The first run that came to its end. */
async function tried(browser, screen, form) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await audited(browser, screen, form);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      console.error(`${screen.name}, ${form}, once more: ${error.message}`);
    }
  }
}

async function audited(browser, screen, form) {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    if (screen.isSignedIn) {
      await page.evaluateOnNewDocument(
        (session, origin) => {
          // Lighthouse stops by at about:blank, which has no storage.
          if (location.origin !== origin) return;
          for (const [key, value] of Object.entries(session))
            sessionStorage.setItem(key, value);
        },
        asked.session,
        asked.base,
      );
    }
    const flags = {
      disableStorageReset: true,
      onlyCategories: ["performance", "accessibility"],
      logLevel: "error",
    };
    const ran = await lighthouse(
      asked.base + screen.path,
      flags,
      forms[form],
      page,
    );
    const { lhr } = ran;
    if (lhr.runtimeError)
      throw new Error(`${screen.name}: ${lhr.runtimeError.message}`);
    const shown = new URL(lhr.finalDisplayedUrl).pathname;
    if (shown !== screen.path)
      throw new Error(`${screen.name}: ended at ${shown}`);
    const scripts = lhr.audits["network-requests"].details.items.filter(
      ({ resourceType }) => resourceType === "Script",
    );
    return {
      screen: screen.name,
      form,
      performance: Math.round(lhr.categories.performance.score * 100),
      accessibility: Math.round(lhr.categories.accessibility.score * 100),
      metrics: Object.fromEntries(
        METRICS.map((id) => [id, lhr.audits[id].numericValue]),
      ),
      scripts: scripts.length,
      scriptBytes: scripts.reduce(
        (sum, { transferSize }) => sum + transferSize,
        0,
      ),
      largest: lhr.audits["lcp-breakdown-insight"]?.details?.items?.find(
        ({ selector }) => selector,
      )?.selector,
      slow: faults(lhr, "performance"),
      unfit: faults(lhr, "accessibility"),
      benchmark: lhr.environment.benchmarkIndex,
    };
  } finally {
    await context.close();
  }
}

const browser = await launch({ executablePath: asked.browser, args: FLAGS });
try {
  for (const screen of asked.screens) {
    for (const form of Object.keys(forms)) {
      const runs = [];
      for (let turn = 0; turn < asked.runs; turn++)
        runs.push(await tried(browser, screen, form));
      runs.sort((one, other) => one.performance - other.performance);
      console.log(JSON.stringify(runs[runs.length >> 1]));
    }
  }
} finally {
  await browser.close();
}
