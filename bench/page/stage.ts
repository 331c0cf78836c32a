/** Opens the page of a benchmark project in a real browser. */
import type { OpenWorkspace } from "@bridle/app/serving";
import { type Browser, chromium, type Page } from "playwright-core";
import { readPage } from "../../packages/server/src/http/read-page.ts";
import { browserPath } from "../../packages/testing/tests/browser.ts";
import { benchToken, openBenchProject, serveBench, servingFolder } from "../serving/stage.ts";
import { observers } from "./observers.ts";

export interface PageStage {
  readonly workspace: OpenWorkspace;
  /** The folder of the project. */
  readonly folder: string;
  /**
   * Opens a page as a new user with an empty cache, and closes it after the measurement. `requests` are the paths that the browser has
   * requested so far.
   */
  visit<T>(path: string, measure: (page: Page, requests: ReadonlySet<string>) => Promise<T>): Promise<T>;
}

export async function withPage(name: string, measure: (stage: PageStage) => Promise<void>): Promise<void> {
  const workspace = await openBenchProject(name);
  const server = await serveBench(workspace, readPage(""));
  const browser = await launch();
  try {
    await measure({
      workspace,
      folder: `${servingFolder}/${name}`,
      visit: (path, measureOne) => visit(browser, `${server.url}${path}#token=${benchToken}`, measureOne),
    });
  } finally {
    await browser.close();
    await server.close();
    await workspace.close();
  }
}

async function visit<T>(
  browser: Browser,
  address: string,
  measure: (page: Page, requests: ReadonlySet<string>) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const requests = new Set<string>();
  context.on("request", (request) => requests.add(new URL(request.url()).pathname));
  try {
    const page = await context.newPage();
    await page.addInitScript(observers);
    await page.goto(address, { waitUntil: "commit" });
    return await measure(page, requests);
  } finally {
    await context.close();
  }
}

function launch(): Promise<Browser> {
  if (browserPath === undefined) throw new Error("There is no Chromium. Install it, or name it in CHROMIUM_PATH.");
  const env = { HOME: servingFolder, PATH: process.env.PATH ?? "" };
  return chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"], env });
}
