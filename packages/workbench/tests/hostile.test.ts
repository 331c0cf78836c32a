/** Tests that the output of models and tools is rendered as text. It never becomes an element, a request or a question. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { deskFiles } from "../../app/tests/support/desk-files.ts";
import { browserPath } from "../../testing/tests/browser.ts";
import { writeHostileSession } from "./support/hostile-session.ts";
import { type ServedPage, servePage } from "./support/serve-page.ts";

const nextFrame = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** Opens or closes every rendered call. */
const clickAll = (expanded: "true" | "false") =>
  `document.querySelectorAll('.call-line[aria-expanded=${expanded}]').forEach((line) => line.click())`;

/** The maximum height of a call. A call must be one line high, even if its tool has a long name. */
const tallestLine = `Math.max(0, ...[...document.querySelectorAll(".call-line")].map((line) => line.offsetHeight))`;

const forbidden =
  "body script, iframe, img, svg, math, object, embed, base, meta[http-equiv], body style, body link, video, audio, template, marquee, main noscript, dialog, .question, main form:not(.composer), a[href^='javascript' i], a[href^='data' i], [onerror], [onload], [onclick], [onmouseover]";

describe.skipIf(!browserPath)("hostile texts in the browser (if CHROMIUM_PATH or PATH has Chromium)", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage(deskFiles, ({ project }) => writeHostileSession(project, "hostile"));
  });
  afterAll(() => served?.close());

  /** Opens a page and records its errors. */
  async function open(path: string): Promise<{ readonly page: Page; readonly problems: string[] }> {
    const page = await served.open("/inbox");
    onTestFinished(() => page.context().close());
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("dialog", (dialog) => void problems.push(`dialog ${dialog.message()}`));
    page.on("popup", (popup) => problems.push(`popup ${popup.url()}`));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.context().on("request", (request) => {
      if (!request.url().startsWith(`${served.url}/`) && !request.url().startsWith("data:"))
        problems.push(request.url());
    });
    await page.goto(served.url + path);
    return { page, problems };
  }

  const found = (page: Page) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll(${JSON.stringify(forbidden)})].map((each) => each.outerHTML.slice(0, 200))`,
    );

  test("hostile texts create no element, request, navigation or question, also where calls are open, and each call is a line", async () => {
    const { page, problems } = await open("/s/hostile");
    const log = page.getByRole("log");
    await log.locator(".call-line").first().waitFor();
    const seen = new Set<string>();
    for (let step = 0; step < 120; step += 1) {
      for (const tool of await log.locator(".call-tool").allTextContents()) seen.add(tool);
      await page.evaluate(clickAll("false"));
      await page.evaluate(nextFrame);
      expect(await found(page)).toEqual([]);
      expect(await page.evaluate(tallestLine)).toBeLessThan(30);
      await page.evaluate(clickAll("true"));
      expect(await page.locator("main").first().textContent()).not.toContain("This page has a fault");
      await page.evaluate("document.querySelector('[role=log]').scrollTop -= 400");
      await page.evaluate(nextFrame);
    }
    expect(seen.size).toBeGreaterThanOrEqual(60); // some tools have the same name when their hidden characters are shown
    expect(new URL(page.url()).pathname).toBe("/s/hostile");
    expect(problems).toEqual([]);
  });

  test("hostile texts are texts in the inspector too", async () => {
    const { page, problems } = await open("/s/hostile?show=events");
    await page.getByRole("log").locator(".call-line").first().waitFor();
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    for (let step = 0; step < 40; step += 1) {
      await inspector.locator("pre").first().waitFor();
      if (step % 2 === 0) await inspector.getByRole("tab", { name: step % 4 === 0 ? "Content" : "Events" }).click();
      expect(await found(page)).toEqual([]);
      await page.keyboard.press("k");
    }
    expect(problems).toEqual([]);
  });

  test("hostile texts are texts in the replay, in the window of the session and in the list of sessions too", async () => {
    const { page, problems } = await open("/s/hostile/runs/run_of_hostile");
    await page.getByRole("heading").first().waitFor();
    expect(await found(page)).toEqual([]);
    await page.goto(`${served.url}/context/hostile`);
    await page.getByRole("heading").first().waitFor();
    expect((await found(page)).filter((each) => !each.startsWith("<svg"))).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("every reply that a browser opens has the policy of contents", async () => {
    for (const path of ["/", "/s/hostile", "/rules", "/status"]) {
      const { headers } = await fetch(served.url + path);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
      expect(headers.get("content-security-policy")).toContain("require-trusted-types-for 'script'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});
