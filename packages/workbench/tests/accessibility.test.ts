/** Every page for people who hear it, enlarge it, or have no mouse. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { browserPath } from "../../testing/tests/browser.ts";
import { type FilledPage, serveFilledPage } from "./support/filled-page.ts";

interface View {
  readonly name: string;
  path(served: FilledPage): string;
  /** Brings the page into the state of the view. */
  prepare(page: Page): Promise<unknown>;
}

const heading = (name: string) => (page: Page) => page.getByRole("heading", { name }).first().waitFor();

const views: readonly View[] = [
  { name: "home", path: () => "/", prepare: (page) => page.getByRole("button", { name: "Talk" }).first().waitFor() },
  { name: "an agent", path: () => "/agents/agent", prepare: heading("desk") },
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
    name: "a conversation with an open question",
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
    path: ({ run }) => `/s/talked/runs/${run}`,
    async prepare(page) {
      await page.getByRole("button", { name: "Make a test case of this" }).click();
      await page.locator(".replay-entries .call-line").first().click();
    },
  },
  { name: "the window of a session", path: () => "/context/talked", prepare: heading("") },
  {
    name: "the tests",
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
    path: () => "/rules",
    async prepare(page) {
      await page.getByRole("button", { name: "Change the rules" }).click();
      await page.getByRole("button", { name: "Add a rule" }).click();
      await page.getByRole("button", { name: "Show what would change" }).click();
      await page.getByRole("heading", { name: "What would have happened" }).waitFor();
    },
  },
  {
    name: "the documents",
    path: () => "/documents",
    async prepare(page) {
      await page.getByRole("searchbox").fill("returns");
      await page.keyboard.press("Enter");
      await page.getByText("A walnut desk").first().waitFor();
    },
  },
  { name: "the data context", path: () => "/context", prepare: heading("The data context") },
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

describe.skipIf(!browserPath)("accessibility in the browser (if CHROMIUM_PATH or PATH has Chromium)", () => {
  let served: FilledPage;
  beforeAll(async () => {
    served = await serveFilledPage();
  });
  afterAll(() => served?.close());

  async function open({ path, prepare }: View): Promise<Page> {
    const page = await served.open(path(served));
    onTestFinished(() => page.context().close());
    await prepare(page);
    return page;
  }

  test.each(views.map((view) => [view.name, view] as const))(
    "axe finds nothing serious in %s, light or dark, wide or narrow",
    async (_name, view) => {
      const page = await open(view);
      await page.evaluate(axe.source);
      expect(await findViolations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await findViolations(page, ["color-contrast"])).toEqual([]); // the scheme changes nothing else
      await page.setViewportSize({ width: 360, height: 780 });
      expect(await findViolations(page)).toEqual([]);
    },
  );
});

/** What axe holds to be serious or critical, or only for some of its rules. */
async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const { violations } = await page.evaluate<{ violations: axe.Result[] }>(
    `axe.run(${JSON.stringify({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) })})`,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
