/** Tests every page with a screen reader's view, with enlarged text, and without a mouse. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserPath } from "../../testing/tests/browser.ts";
import { type FilledPage, serveFilledPage } from "./support/filled-page.ts";
import { findFaults, findSmallTargets } from "./support/find-faults.ts";

interface View {
  readonly name: string;
  path(served: FilledPage): string;
  /** Brings the page into the state to test. */
  prepare(page: Page): Promise<unknown>;
  /** Whether the test moves through the page's controls with Tab. */
  readonly isWalked?: boolean;
}

const heading = (name: string) => (page: Page) => page.getByRole("heading", { name }).first().waitFor();

const opened = (page: Page) => page.getByRole("region", { name: "What is open" });

const views: readonly View[] = [
  { name: "home", path: () => "/", prepare: (page) => page.getByRole("button", { name: "Talk" }).first().waitFor() },
  { name: "an agent", path: () => "/agents/agent", prepare: heading("desk") },
  {
    name: "an agent whose file is wrong",
    path: () => "/agents/wrong",
    prepare: (page) => page.locator(".file-line.wrong").waitFor(),
  },
  {
    name: "a conversation",
    path: () => "/s/talked",
    async prepare(page) {
      await page.getByRole("log").getByText("Packed on Tuesday.").waitFor();
      for (const line of await page.locator(".call-line").all()) await line.click();
      for (const summary of await page.locator(".reasoning summary").all()) await summary.click();
      await page.getByRole("log").press("/");
      await page.keyboard.type("desk");
      await page.getByRole("search").getByRole("status").getByText("1 of").waitFor();
    },
  },
  {
    name: "the inspector",
    path: () => "/s/talked",
    async prepare(page) {
      await page.getByRole("log").getByText("Packed on Tuesday.").waitFor();
      await page.locator(".entry:has(.call-line)").last().getByRole("button", { name: "Inspect" }).click();
      await page.getByRole("complementary", { name: "Inspector" }).getByText("is on its way.").first().waitFor();
    },
  },
  {
    name: "a conversation with an open question",
    isWalked: true,
    path: () => "/s/asked",
    prepare: (page) => page.locator(".dock .question button[aria-disabled=false]").first().waitFor(),
  },
  {
    name: "a conversation whose run failed",
    path: () => "/s/broken",
    prepare: (page) => page.getByText("The run failed").first().waitFor(),
  },
  {
    name: "the inbox",
    path: () => "/inbox",
    prepare: (page) => page.locator(".question button[aria-disabled=false]").first().waitFor(),
  },
  {
    name: "a replay",
    isWalked: true,
    path: ({ run }) => `/s/talked/runs/${run}`,
    async prepare(page) {
      await page.getByRole("button", { name: "Make a test case of this" }).click();
      await page.locator(".replay-entries .call-line").first().click();
    },
  },
  { name: "the window of a session", path: () => "/context/talked", prepare: heading("") },
  {
    name: "the tests",
    isWalked: true,
    path: () => "/tests",
    prepare: (page) => page.getByRole("group", { name: "History of the tests" }).waitFor(),
  },
  {
    name: "a test run",
    path: ({ testRuns }) => `/tests/${testRuns[1]}`,
    prepare: (page) => page.locator(".case-line").last().click(),
  },
  {
    name: "a comparison",
    path: ({ testRuns: [a, b] }) => `/tests/compare?a=${a}&b=${b}`,
    prepare: (page) => page.locator(".case-line").last().click(),
  },
  {
    name: "the rules",
    path: () => "/rules",
    prepare: (page) => page.getByRole("button", { name: "Change the rules" }).waitFor(),
  },
  {
    name: "the rules while they are changed",
    isWalked: true,
    path: () => "/rules",
    async prepare(page) {
      await page.getByRole("button", { name: "Change the rules" }).click();
      await page.getByRole("button", { name: "Add a rule" }).click();
      await page
        .getByRole("group", { name: /^Rule / })
        .last()
        .getByLabel("Tool")
        .fill("lookup");
      await page.getByRole("button", { name: "Show the effects" }).click();
      await page.getByRole("heading", { name: "What would have happened" }).waitFor();
    },
  },
  {
    name: "the documents",
    isWalked: true,
    path: () => "/documents",
    async prepare(page) {
      await page.getByRole("searchbox").fill("returns");
      await page.keyboard.press("Enter");
      await page.getByText("A walnut desk").first().waitFor();
    },
  },
  {
    name: "the data context",
    isWalked: true,
    path: () => "/context?open=shop.main.customers",
    prepare: (page) => opened(page).getByText("sensitive: email").filter({ visible: true }).waitFor(),
  },
  {
    name: "the joins",
    path: () => "/context?view=joins",
    async prepare(page) {
      await page.getByRole("button", { name: /orders\.customer_id/ }).click();
      await opened(page).getByText("declared in the database").first().waitFor();
    },
  },
  {
    name: "the metrics",
    path: () => "/context?view=metrics&open=orders&measure=orders.revenue&by=orders.placed_on",
    prepare: (page) => opened(page).locator(".sql").waitFor(),
  },
  {
    name: "the pages",
    path: () => "/context?view=pages&open=orders",
    prepare: (page) => opened(page).locator("strong", { hasText: "paid" }).waitFor(),
  },
  {
    name: "what is contested",
    path: () => "/context?view=contested",
    prepare: (page) => page.getByText("An order counts when it is sent.").first().waitFor(),
  },
  { name: "the status", path: () => "/status", prepare: heading("Status") },
  { name: "no page", path: () => "/status/nowhere", prepare: heading("There is nothing at this address.") },
  { name: "no session", path: () => "/s/nobody", prepare: heading("This session never existed") },
  {
    name: "the commands",
    path: () => "/",
    async prepare(page) {
      await page.getByRole("button", { name: "Talk" }).first().waitFor();
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("dialog", { name: "Commands" }).waitFor();
    },
  },
  {
    name: "the keys",
    path: () => "/inbox",
    async prepare(page) {
      await page.locator(".question").first().waitFor();
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
    },
  },
];

/** Returns all controls, in the order of the page. Radio buttons and list entries are reached with arrow keys. */
const markControls = `window.controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }) && each.type !== "radio")`;

/** Returns the focused element: its position among the controls, and whether its focus is visible. */
const describeFocus = `(() => {
  const { activeElement } = document;
  const place = activeElement.closest("label.file-button") ?? activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(place);
  return { index: window.controls.indexOf(activeElement), isSeen: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 };
})()`;

/** Resolves when the page has been laid out and its width is known. */
const nextFrame = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

describe.skipIf(!browserPath)("accessibility in the browser (if CHROMIUM_PATH or PATH has Chromium)", () => {
  let served: FilledPage;
  let page: Page;
  beforeAll(async () => {
    served = await serveFilledPage();
    page = await served.open();
    await page.addInitScript(axe.source);
  });
  afterAll(() => served?.close());

  async function show({ path, prepare }: View): Promise<void> {
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(served.url + path(served));
    await prepare(page);
  }

  test.each(views.map((view) => [view.name, view] as const))(
    "axe finds nothing serious in %s, light or dark, wide or narrow, and a narrow screen cuts and covers nothing",
    async (_name, view) => {
      await show(view);
      expect(await findViolations(page)).toEqual([]);
      await expect.poll(() => page.locator("h1:not(.markdown *)").count()).toBe(1);
      expect(await findSmallTargets(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await findViolations(page, { runOnly: ["color-contrast"] })).toEqual([]); // the colour scheme changes nothing else
      await page.setViewportSize({ width: 360, height: 780 });
      await page.evaluate(nextFrame);
      expect(await findViolations(page, { rules: { "color-contrast": { enabled: false } } })).toEqual([]);
      expect(await findFaults(page)).toEqual([]);
    },
  );

  test.each(views.filter(({ isWalked }) => isWalked).map((view) => [view.name, view] as const))(
    "every control of %s is reached by Tab, and shows that it has the focus",
    async (_name, view) => {
      await show(view);
      await page.evaluate("document.activeElement.blur()");
      await page.evaluate(markControls);
      const controls = await page.evaluate<string[]>("window.controls.map((each) => each.outerHTML.slice(0, 200))");
      const unseen: string[] = [];
      const missed = new Set(controls.keys());
      for (let pressed = 0; missed.size > 0 && pressed < controls.length + 10; pressed += 1) {
        await page.keyboard.press("Tab");
        const { index, isSeen } = await page.evaluate<{ index: number; isSeen: boolean }>(describeFocus);
        if (missed.delete(index) && !isSeen) unseen.push(controls[index] ?? "");
      }
      expect({ unseen, missed: [...missed].map((index) => controls[index]) }).toEqual({ unseen: [], missed: [] });
    },
  );
});

/** Returns the violations that axe rates as serious or critical. */
async function findViolations(page: Page, options: axe.RunOptions = {}): Promise<string[]> {
  const { violations } = await page.evaluate<{ violations: axe.Result[] }>(
    `axe.run(${JSON.stringify({ resultTypes: ["violations"], ...options })})`,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
