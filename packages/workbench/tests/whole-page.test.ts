/** The page when the world around it changes: other windows, no server, another version of the rules. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { BridleClient } from "@bridle/client";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { deskFiles } from "../../app/tests/support/desk-files.ts";
import { startCommand } from "../../cli/tests/support/command.ts";
import { browserPath } from "../../testing/tests/browser.ts";
import { type ServedPage, servePage } from "./support/serve-page.ts";

describe.skipIf(!browserPath)("the whole page in the browser (if CHROMIUM_PATH or PATH has Chromium)", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage(deskFiles);
  });
  afterAll(() => served?.close());

  async function open(path?: string): Promise<Page> {
    const page = await served.open(path);
    onTestFinished(() => page.context().close());
    return page;
  }

  async function ask(): Promise<Page> {
    const page = await open();
    await page.getByRole("button", { name: "Talk" }).first().press("Enter");
    await page.waitForURL(/\/s\//);
    await say(page, "Where is my order?");
    await question(page).waitFor();
    return page;
  }

  async function say(page: Page, prompt: string): Promise<void> {
    await page.getByLabel("Message", { exact: true }).fill(prompt);
    await page.keyboard.press("Enter");
  }

  const question = (page: Page) => page.locator(".dock .question");
  const armed = (page: Page) => question(page).locator("button[aria-disabled=false]").first().waitFor();
  const answered = (page: Page) => page.getByRole("log").getByText("It is on its way.").waitFor();

  test("twelve tabs and another window show the same question, and all see the answer", async () => {
    const page = await ask();
    const tabs = await Promise.all(Array.from({ length: 11 }, () => page.context().newPage()));
    const token = new URL(served.link).hash;
    for (const tab of tabs) await tab.goto(page.url() + token);
    const other = await open(new URL(page.url()).pathname);
    for (const each of [...tabs, other]) await question(each).waitFor();
    await other.bringToFront();
    await armed(other);
    await other.keyboard.press("y");
    for (const each of [page, ...tabs, other]) {
      await answered(each);
      await question(each).waitFor({ state: "detached" });
    }
  });

  test("a question survives a reload and a time without network", async () => {
    const page = await ask();
    await page.reload();
    await armed(page);
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.evaluate("document.activeElement?.blur()");
    await page.keyboard.press("y");
    await answered(page);
  });

  test("when the server has gone and comes back, the page says so, keeps what was written, and goes on", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Talk" }).first().press("Enter");
    await page.waitForURL(/\/s\//);
    await say(page, "hello");
    await page.getByRole("log").getByText("Hello from the desk.").waitFor();
    const start = await served.stop();
    await page.getByText("The server does not answer.").waitFor();
    await page.getByLabel("Message", { exact: true }).fill("Are you there?");
    await page.getByRole("log").getByText("Hello from the desk.").waitFor();
    await page.getByRole("link", { name: "Documents" }).click();
    await page.getByText("It opens by itself when the server is back.").waitFor();
    await start();
    await page.getByRole("heading", { name: "Documents", exact: true }).waitFor();
    await page.goBack();
    await page.getByText("The server does not answer.").waitFor({ state: "detached" });
    await page.getByLabel("Message", { exact: true }).press("Enter");
    await page.getByRole("log").getByText("Hello from the desk.").nth(1).waitFor();
  });

  test("a run of another process that is killed is shown as interrupted, and the session goes on", async () => {
    const words = ["run", "slow", "--session", "killed", "--agent", "agent.yaml", "--rehearse", "script.yaml"];
    const { child, ended } = startCommand(words, served.place);
    const client = new BridleClient({ url: served.url, token: new URL(served.link).hash.replace("#token=", "") });
    while (!(await client.sessions({ limit: 50 })).sessions.some(({ id }) => id === "killed")) await setTimeout(100);
    const page = await open("/s/killed");
    const list = await open("/inbox");
    const mark = list.getByRole("region", { name: "Sessions" }).getByRole("img", { name: "a run is in progress" });
    await Promise.all([page.getByText("Working …").waitFor(), mark.waitFor()]);
    child.kill("SIGKILL");
    await ended;
    await mark.waitFor({ state: "detached" });
    await page.getByText("The run was interrupted").waitFor();
    expect(await page.getByText("Working …").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Stop" }).isDisabled()).toBe(true);
    await say(page, "hello");
    await page.getByRole("log").getByText("Hello from the desk.").waitFor();
  });

  test("a run of a server that is killed is shown as interrupted by the next one", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Talk" }).first().press("Enter");
    await page.waitForURL(/\/s\//);
    await say(page, "slow");
    await page.getByText("Working …").waitFor();
    const start = await served.stop("SIGKILL");
    await start();
    await page.getByText("The run was interrupted").waitFor();
    expect(await page.getByText("Working …").count()).toBe(0);
  });

  test("a wrong token leads to the way in, also after so many that the server answers none of them", async () => {
    const page = await open("/nowhere/at/all");
    await page.getByRole("link", { name: "See agents and sessions" }).waitFor();
    await page.evaluate(
      `Promise.all(Array.from({ length: 60 }, () => fetch("/api/v1/agents", { headers: { authorization: "Bearer wrong" } })))`,
    );
    await page.goto(`${served.url}/#token=wrong`);
    await page.getByText("The server does not know the token of this tab.").waitFor();
    await page.getByLabel("Link or token").fill(served.link);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Talk" }).first().waitFor();
  });

  test("rules that somebody else saved in between are shown beside those of the person, who loses nothing and may keep theirs", async () => {
    const page = await open("/rules");
    await page.getByRole("button", { name: "Change the rules" }).click();
    await page.getByRole("button", { name: "Add a rule" }).click();
    const line = page.getByRole("group", { name: "Rule 1" });
    await line.getByLabel("Tool").fill("mine");
    await line.getByLabel("If its input has").fill("customer.name: ^Żółć 👩‍🚀 שלום$\namount: \\d+");
    const file = join(served.place.project, "bridle.yaml");
    await writeFile(file, `${deskFiles["bridle.yaml"]}policy: { rules: [{ tool: theirs, then: deny }] }\n`);
    await page.getByRole("button", { name: "Show what would change" }).click();
    await page.getByRole("button", { name: /^Save in/ }).click();
    const conflict = page.getByRole("alert");
    await conflict.getByText("Nothing was saved.").waitFor();
    expect(await conflict.getByRole("heading").allTextContents()).toEqual(["In the file now", "Yours"]);
    const [theirs, mine] = await conflict.locator("pre").allTextContents();
    expect(theirs).toContain('"tool": "theirs"');
    expect(mine).toContain('"customer.name": "^Żółć 👩‍🚀 שלום$"');
    expect(await conflict.boundingBox()).toMatchObject({ y: expect.toSatisfy((y) => y < 800) });
    expect(await line.getByLabel("If its input has").inputValue()).toContain("👩‍🚀");
    await page.getByRole("button", { name: "Keep mine" }).click();
    await page.locator(".diff-removed", { hasText: "theirs" }).waitFor();
    await page.getByRole("button", { name: /^Save in/ }).click();
    await page.getByRole("cell", { name: /^mine/ }).first().waitFor();
    expect(await readFile(file, "utf8")).toMatch(/tool: mine[\s\S]*👩‍🚀/);
  });
});
