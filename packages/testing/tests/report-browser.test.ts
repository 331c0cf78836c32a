/** Tests the HTML report as users open it: from disk, in a real browser, without a network. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { report } from "../src/report/report.ts";
import { type SampleOptions, sampleRun } from "../src/report/sample-run-for-tests.ts";
import { browserPath } from "./browser.ts";

describe.skipIf(!browserPath)("in a browser (if CHROMIUM_PATH or PATH has Chromium)", () => {
  let [browser, folder]: [Browser | undefined, string] = [undefined, ""];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bridle-report-"));
    const chosen = browserPath === undefined ? {} : { executablePath: browserPath };
    browser = await chromium.launch({
      ...chosen,
      args: ["--no-sandbox"],
      env: { HOME: folder, PATH: process.env.PATH ?? "" },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  interface Opened {
    readonly page: Page;
    /** Console messages, and every request except the one for the page. */
    readonly problems: string[];
  }

  interface Options extends SampleOptions {
    readonly script?: boolean;
  }

  async function open({ script = true, ...options }: Options): Promise<Opened> {
    const file = join(folder, `report-${options.cases}-${options.trials ?? 1}-${options.hostile ?? false}.html`);
    await writeFile(file, report(sampleRun(options), "html"));
    if (!browser) throw new Error("the browser did not start");
    const context = await browser.newContext({
      colorScheme: "light",
      viewport: { width: 1400, height: 900 },
      javaScriptEnabled: script,
      offline: true,
    });
    onTestFinished(() => context.close()); // pages that stay open would keep rendering during the next test
    const page = await context.newPage();
    const problems: string[] = [];
    const url = pathToFileURL(file).href;
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => request.url() === url || problems.push(`requested ${request.url()}`));
    await page.goto(url);
    return { page, problems };
  }

  const shown = (page: Page) => page.locator(".case:visible").count();

  test("the report opens without requests, console messages or effects of its texts", async () => {
    const { page, problems } = await open({ cases: 20, trials: 2, hostile: true });
    await page.getByRole("button", { name: "Open all" }).click();
    await page.waitForTimeout(200);
    expect(problems).toEqual([]);
    expect(await page.title()).toMatch(/^Not finished: 4 of 20 cases passed – order-desk <\/script>/);
    expect(await page.locator("script").count()).toBe(1);
    expect(await page.locator("img, iframe, object, link, [onerror]").count()).toBe(0);
  });

  test.each([{ cases: 20 }, { cases: 3, trials: 2 }])(
    "the report has no accessibility violations with all cases open: %j",
    async (options) => {
      const { page } = await open(options);
      await page.evaluate(`for (const each of document.querySelectorAll("details")) each.open = true`);
      await page.evaluate(axe.source); // not as an element, which the page's policy would refuse
      expect(await violationsOf(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await violationsOf(page, ["color-contrast"])).toEqual([]); // the theme changes nothing else
    },
  );

  test("a filter of the report shows its cases and their number", async () => {
    const { page } = await open({ cases: 20, trials: 5 });
    for (const [name, count] of [
      ["Failed", 14],
      ["Host failed", 1],
      ["Passed", 4],
      ["Flaky", 2],
      ["All", 20],
    ] as const) {
      const button = page.getByRole("button", { name: new RegExp(`^${name} ${count}$`) });
      await button.click();
      expect(await button.getAttribute("aria-pressed")).toBe("true");
      expect(await shown(page)).toBe(count);
      expect(await page.getByRole("status").textContent()).toBe(`${count} of 20 cases`);
    }
  });

  test("a search in the report covers names, texts and reasons, by keyboard", async () => {
    const { page } = await open({ cases: 20 });
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("TOOLLOOP error");
    await expect.poll(() => shown(page)).toBe(1);
    expect(await page.locator(".case:visible h3").textContent()).toBe("answers although the warehouse is closed");
    await page.keyboard.type(" nowhere");
    await page.getByText("No case matches.").waitFor();
  });

  test("a sort of the report changes the order of the cases", async () => {
    const { page } = await open({ cases: 20 });
    const names = () => page.locator(".case h3").allTextContents();
    expect((await names())[0]).toBe("answers in the language of the question");
    await page.getByLabel("Sort", { exact: true }).selectOption("As in the agent file");
    expect((await names())[0]).toBe("finds an order by its number");
    await page.getByLabel("Sort", { exact: true }).selectOption("Slowest first");
    expect((await names())[0]).toBe("waits for a slow warehouse");
  });

  test("a case of the report opens with Enter and shows why it failed", async () => {
    const { page } = await open({ cases: 20 });
    await page.locator(".case summary").first().focus();
    await page.keyboard.press("Enter");
    const body = page.locator(".case .body").first();
    await body.getByText("Why it failed").waitFor();
    expect(await body.locator(".card .text").allTextContents()).toEqual([
      "shipped",
      "Your order is still being packed.",
    ]);
  });

  test("a link to a filtered case shows and opens it", async () => {
    const { page } = await open({ cases: 20 });
    await page.getByRole("button", { name: /^Passed/ }).click();
    await page.getByRole("link", { name: "waits for a slow warehouse" }).click();
    await expect.poll(() => page.locator("#case-13 > details").getAttribute("open")).not.toBe(null);
    expect(await shown(page)).toBe(20);
  });

  test("without its script every case of the report can be opened, and no useless control is shown", async () => {
    const { page } = await open({ cases: 20, script: false });
    expect(await shown(page)).toBe(20);
    expect(await page.getByRole("searchbox").count()).toBe(0);
    await page.locator(".case summary").first().click();
    expect(await page.locator(".case .card").first().isVisible()).toBe(true);
  });

  test("a report of 400 cases is filtered quickly and fits a phone and a large screen", async () => {
    const { page, problems } = await open({ cases: 400 });
    await page.getByRole("button", { name: /^Failed/ }).click();
    expect(await shown(page)).toBe(57);
    await page.locator(".case:visible summary").first().click();
    for (const width of [1400, 360]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
    }
    expect(problems).toEqual([]);
  });
});

async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  const found = await page.evaluate<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>(
    `axe.run(${JSON.stringify({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) })})`,
  );
  return found.violations.map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes.length} × ${nodes[0]?.html}`);
}
