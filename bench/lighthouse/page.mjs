// Runs Lighthouse, as a phone, over the client's page of a running server: before the code and after it; then opens another
// page in a browser without scripts. What to do comes as JSON on standard input: { browser, base, outbox, paths }, with the
// folder of the mails and two pages; what was found goes to standard output, a line of JSON each.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import lighthouse from "lighthouse";
import { launch } from "puppeteer-core";

const asked = JSON.parse(await text(process.stdin));
const [audited, plain] = asked.paths;
const flags = {
  disableStorageReset: true,
  onlyCategories: ["performance", "accessibility"],
  // That audit leaves the page and goes back to it, but the answer to a form is not shown a second time.
  skipAudits: ["bf-cache"],
  logLevel: "error",
};

function found(state, { lhr }) {
  if (lhr.runtimeError) throw new Error(`${state}: ${lhr.runtimeError.message}`);
  const assets = lhr.audits["network-requests"].details.items.filter(
    ({ resourceType }) => ["Script", "Stylesheet"].includes(resourceType),
  );
  return {
    state,
    performance: Math.round(lhr.categories.performance.score * 100),
    accessibility: Math.round(lhr.categories.accessibility.score * 100),
    lcp: lhr.audits["largest-contentful-paint"].numericValue,
    assets: assets.reduce((sum, { transferSize }) => sum + transferSize, 0),
  };
}

/** The codes in the mails, the newest last. */
function codes() {
  if (!existsSync(asked.outbox)) return [];
  return readdirSync(asked.outbox)
    .map((name) => `${asked.outbox}/${name}`)
    .sort((one, other) => statSync(one).mtimeMs - statSync(other).mtimeMs)
    .flatMap((path) => /^(\d{6})\r?$/m.exec(readFileSync(path, "utf8"))?.[1] ?? []);
}

/** Ask for a code and type it; what sends it. */
async function enter(page, path) {
  const before = codes().length;
  await page.goto(asked.base + path);
  const ask = await page.$("main form button");
  if (!ask) {
    const shown = await page.$eval("body", ({ textContent }) => textContent);
    throw new Error(`${page.url()} does not offer a code: ${shown.trim()}`);
  }
  await Promise.all([page.waitForNavigation(), ask.click()]);
  for (let wait = 0; codes().length === before; wait++) {
    if (wait === 600) throw new Error("no code was mailed");
    await pause(100);
  }
  const field = await page.$('input[name="code"]');
  if (!field) throw new Error("the page does not ask for the code");
  await field.type(codes().at(-1));
  return () => field.press("Enter");
}

const browser = await launch({
  executablePath: asked.browser,
  args: ["--no-sandbox", "--no-first-run", "--disable-sync", "--headless=new"],
});
try {
  const before = await (await browser.createBrowserContext()).newPage();
  const front = await lighthouse(asked.base + audited, flags, undefined, before);
  console.log(JSON.stringify(found("before the code", front)));

  const page = await (await browser.createBrowserContext()).newPage();
  const submit = await enter(page, audited);
  const after = await lighthouse(submit, flags, undefined, page);
  const isOpen = await page.$('input[name="pageToken"][value]');
  if (!isOpen) throw new Error("the code did not open the page");
  console.log(JSON.stringify(found("after the code", after)));

  const quiet = await (await browser.createBrowserContext()).newPage();
  await quiet.setJavaScriptEnabled(false);
  const send = await enter(quiet, plain);
  await Promise.all([quiet.waitForNavigation(), send()]);
  const content = await quiet.content();
  const isReadable = content.includes("pageToken") && /class="orders"/.test(content);
  console.log(JSON.stringify({ state: "without a script", isReadable }));
} finally {
  await browser.close();
}
