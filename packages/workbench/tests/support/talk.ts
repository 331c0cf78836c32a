/** Helpers for using the page with the keyboard. */
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { ServedPage } from "./serve-page.ts";

/** Opens a page at this path. It is closed when the test ends. */
export async function openPage(served: ServedPage, path?: string): Promise<Page> {
  const page = await served.open(path);
  onTestFinished(() => page.context().close());
  return page;
}

/** Opens a page and starts a session with the first agent of the list. */
export async function beginTalk(served: ServedPage, prompt: string): Promise<Page> {
  const page = await openPage(served);
  await talk(page, prompt);
  return page;
}

/** Starts a session with the first agent on the home page. */
export async function talk(page: Page, prompt: string): Promise<void> {
  await page.getByRole("button", { name: "Talk" }).first().press("Enter");
  await page.waitForURL(/\/s\//);
  await say(page, prompt);
}

export async function say(page: Page, prompt: string): Promise<void> {
  await composer(page).focus();
  await page.keyboard.type(prompt);
  await page.keyboard.press("Enter");
}

export const composer = (page: Page) => page.getByLabel("Message", { exact: true });
export const log = (page: Page) => page.getByRole("log");
/** The card of a question, in a conversation or in the inbox. */
export const question = (page: Page) => page.locator(".question");
/** Resolves when a question accepts answers. */
export const armed = (page: Page) => question(page).locator("button[aria-disabled=false]").first().waitFor();
