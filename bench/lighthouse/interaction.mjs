// How quickly a slow machine answers a person: the longest time from an event to the next paint of each action (Event
// Timing), and the script time of one beat of prices. What to do comes as JSON on standard input:
// { browser, base, session, code, slowed, seconds }; what was measured goes to standard output as JSON.
import { text } from "node:stream/consumers";
import { launch } from "puppeteer-core";

const asked = JSON.parse(await text(process.stdin));
const browser = await launch({
  executablePath: asked.browser,
  args: ["--no-sandbox", "--headless=new", "--disable-background-networking"],
});

/** A page of a signed-in tab that writes down how long each event took until the next paint. */
async function opened(path, sign) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  await page.evaluateOnNewDocument((session, origin) => {
    if (location.origin !== origin) return;
    for (const [key, value] of Object.entries(session))
      sessionStorage.setItem(key, value);
    window.events = [];
    new PerformanceObserver((list) => {
      for (const { interactionId, duration, startTime } of list.getEntries())
        if (interactionId > 0) window.events.push({ startTime, duration });
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
  }, asked.session, asked.base);
  await page.goto(asked.base + path);
  await page.locator(sign).wait();
  return page;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The longest event of an act, in milliseconds; 16 where all were below that. */
async function longest(page, act) {
  await pause(1500);
  await page.emulateCPUThrottling(asked.slowed);
  const began = await page.evaluate(() => performance.now());
  await act();
  await pause(1500);
  const events = await page.evaluate(() => window.events);
  await page.emulateCPUThrottling(null);
  // Earlier events may be reported late.
  const own = events.filter(({ startTime }) => startTime >= began);
  return Math.max(16, ...own.map(({ duration }) => duration));
}

const name = (label) => `aria/${label}`;

async function typing() {
  const page = await opened("/home/advice", name("Client code"));
  await page.type(name("Client code"), asked.code);
  const target = '[aria-label^="Target Allocation of"]';
  await page.locator(target).wait();
  const typed = await longest(page, async () => {
    await page.click(target);
    for (const key of "4.25") {
      await page.keyboard.press(key);
      await pause(150);
    }
  });
  await page.browserContext().close();
  return typed;
}

async function listing() {
  const menu = 'tbody button[aria-label^="Actions"], tbody button[aria-haspopup]';
  const page = await opened("/home/client/details?limit=10", menu);
  // The first pointer loads the code of menus; it is there when a person clicks.
  await page.mouse.move(400, 400);
  const opening = await longest(page, () => page.click(menu));
  await page.keyboard.press("Escape");
  const paging = await longest(page, () => page.click(name("Next page")));
  await page.browserContext().close();
  return { opening, paging };
}

async function beat() {
  const page = await opened(asked.livePath, "tbody tr");
  const browserSide = await page.createCDPSession();
  await browserSide.send("Network.enable");
  await browserSide.send("Performance.enable", { timeDomain: "threadTicks" });
  const scriptTime = async () => {
    const { metrics } = await browserSide.send("Performance.getMetrics");
    return metrics.find((metric) => metric.name === "ScriptDuration").value;
  };
  await pause(3000);
  await page.emulateCPUThrottling(asked.slowed);
  let frames = 0;
  browserSide.on("Network.webSocketFrameReceived", () => {
    frames += 1;
  });
  const rows = await page.$$eval("tbody tr", (all) => all.length);
  const before = await scriptTime();
  await pause(asked.seconds * 1000);
  const spent = (await scriptTime()) - before;
  await page.browserContext().close();
  return { rows, frames, ms: frames > 0 ? (spent * 1000) / frames : null };
}

try {
  console.log(
    JSON.stringify({
      typing: await typing(),
      ...(await listing()),
      beat: await beat(),
    }),
  );
} finally {
  await browser.close();
}
