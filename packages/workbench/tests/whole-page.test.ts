/** Tests the page when its environment changes: other windows, no server, or another version of the rules. */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { BridleClient } from "@bridle/client";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deskFiles } from "../../app/tests/support/desk-files.ts";
import { startCommand } from "../../cli/tests/support/command.ts";
import { browserPath } from "../../testing/tests/browser.ts";
import { type ServedPage, servePage } from "./support/serve-page.ts";
import { armed, beginTalk, composer, log, openPage, question, say, talk } from "./support/talk.ts";

/** Adds up how far visible content moves, as Cumulative Layout Shift does. */
const observeShifts = `window.shifts = 0;
window.addShifts = (entries) => { for (const { value } of entries) window.shifts += value; };
window.observer = new PerformanceObserver((list) => window.addShifts(list.getEntries()));
window.observer.observe({ type: "layout-shift", buffered: true });`;

/** Returns the sum after the last change is painted. The observer may not have received the newest entries yet. */
const measureShifts = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  window.addShifts(window.observer.takeRecords());
  done(window.shifts);
})))`;

/** Stops the server, and waits until it has stopped, before the first shared worker is loaded. */
const endBeforeConnection = `window.SharedWorker = class extends SharedWorker {
  constructor(...given) {
    const request = new XMLHttpRequest();
    request.open("GET", "/end-the-server", false);
    if (!window.isEnded) request.send();
    window.isEnded = true;
    super(...given);
  }
};`;

describe.skipIf(!browserPath)("the whole page in the browser (if CHROMIUM_PATH or PATH has Chromium)", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage(deskFiles);
  });
  afterAll(() => served?.close());

  const open = (path?: string) => openPage(served, path);

  async function ask(): Promise<Page> {
    const page = await beginTalk(served, "Where is my order?");
    await question(page).waitFor();
    return page;
  }

  const answered = (page: Page) => log(page).getByText("It is on its way.").waitFor();

  /** Opens the page with this token. When the access form is shown, resolves with the status codes of the page's requests. */
  async function openWith(page: Page, token: string): Promise<Set<number>> {
    const statuses = new Set<number>();
    page.context().on("response", (response) => {
      if (response.request().headers().authorization === `Bearer ${token}`) statuses.add(response.status());
    });
    await page.goto(`${served.url}/#token=${token}`);
    await page.getByText("The server does not know the token of this tab.").waitFor();
    return statuses;
  }

  async function enter(page: Page): Promise<void> {
    await page.getByLabel("Link or token").fill(served.link);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Talk" }).first().waitFor();
  }

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
    const page = await beginTalk(served, "hello");
    await log(page).getByText("Hello from the desk.").waitFor();
    const start = await served.stop();
    await page.getByText("The server does not answer.").waitFor();
    await composer(page).fill("Are you there?");
    await log(page).getByText("Hello from the desk.").waitFor();
    await page.getByRole("link", { name: "Documents" }).click();
    await page.getByText("It opens by itself when the server is back.").waitFor();
    await start();
    await page.getByRole("heading", { name: "Documents", exact: true }).waitFor();
    await page.goBack();
    await page.getByText("The server does not answer.").waitFor({ state: "detached" });
    await composer(page).press("Enter");
    await log(page).getByText("Hello from the desk.").nth(1).waitFor();
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
    await log(page).getByText("Hello from the desk.").waitFor();
  });

  test("a run of a server that is killed is shown as interrupted by the next one", async () => {
    const page = await beginTalk(served, "slow");
    await page.getByText("Working …").waitFor();
    const start = await served.stop("SIGKILL");
    await start();
    await page.getByText("The run was interrupted").waitFor();
    expect(await page.getByText("Working …").count()).toBe(0);
  });

  test("a server that ends while the page opens its connection is waited for", async () => {
    let start = async () => {};
    const page = await open("/nowhere");
    await page.route("**/end-the-server", async (route) => {
      start = await served.stop();
      await route.fulfill({ body: "" });
    });
    await page.addInitScript(endBeforeConnection);
    await page.goto(served.link);
    await page.getByText("The server does not answer. Trying again.").waitFor();
    await page.locator("#main").getByText("The server does not answer.").waitFor(); // by then, views have also given up
    await start();
    await page.getByRole("button", { name: "Talk" }).first().waitFor();
  });

  test("a wrong token leads to the way in, which takes the right one", async () => {
    const page = await open("/nowhere/at/all");
    await page.getByRole("link", { name: "See agents and sessions" }).waitFor();
    expect(await openWith(page, "wrong")).toEqual(new Set([401]));
    await enter(page);
  });

  test("the way in takes the right token also after so many wrong ones that the server answers none of them", async () => {
    const page = await open("/nowhere/at/all");
    await page.getByRole("link", { name: "See agents and sessions" }).waitFor();
    const refused = await page.evaluate<number[]>(
      `Promise.all(Array.from({ length: 60 }, async () => (await fetch("/api/v1/agents", { headers: { authorization: "Bearer wrong" } })).status))`,
    );
    expect(new Set(refused)).toEqual(new Set([401, 429]));
    expect(await openWith(page, "wrong")).toEqual(new Set([429]));
    await enter(page);
  });

  test("a project without agents says how to make one, moves nothing meanwhile, and lets a person talk with its model", async () => {
    /** Stops the server, renames a file and starts the server again, as a user would. */
    const restart = async (from: string, to: string) => {
      const start = await served.stop();
      await rename(join(served.place.project, from), join(served.place.project, to));
      await start();
    };
    await restart("agent.yaml", "agent.away");
    const page = await open("/status");
    await page.addInitScript(observeShifts);
    await page.route("**/api/v1/status", async (route) => {
      await setTimeout(500); // the content above the agents is loaded last
      await route.continue();
    });
    await page.goto(served.url);
    await page.getByRole("button", { name: "npx bridle init desk" }).waitFor();
    await page.getByText("A script answers").waitFor();
    expect(await page.getByRole("button", { name: "Talk" }).count()).toBe(1);
    expect(await page.evaluate(measureShifts)).toBeLessThan(0.01); // agents at the side move the sessions below them by 0.006
    await page.evaluate(`document.querySelector("h1").style.marginTop = "300px"`);
    expect(await page.evaluate(measureShifts)).toBeGreaterThan(0.02);
    await talk(page, "hello");
    await log(page).getByText("Hello from the desk.").waitFor();
    await page.getByRole("link", { name: "Bridle", exact: true }).click();
    await page.getByRole("button", { name: "npx bridle init desk" }).waitFor();
    await restart("agent.away", "agent.yaml");
    await page.getByText("Answers questions about orders.").waitFor();
    await page.getByRole("button", { name: "npx bridle init desk" }).waitFor({ state: "detached" });
    await talk(page, "Where is my order?");
    await armed(page);
    await page.keyboard.press("y");
    await answered(page);
  });

  test("a rule about a tool that an agent does not have is not saved, and the nearest name is shown", async () => {
    const page = await open("/rules");
    await page.getByRole("button", { name: "Change the rules" }).click();
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByRole("group", { name: "Rule 1" }).getByLabel("Tool").fill("lookupp");
    await page.getByRole("button", { name: "Show the effects" }).click();
    await page
      .getByRole("alert")
      .getByText('names the tool "lookupp", which does not exist. Did you mean "lookup"?')
      .waitFor();
    expect(await page.getByRole("button", { name: /^Save in/ }).count()).toBe(0);
    expect(await readFile(join(served.place.project, "bridle.yaml"), "utf8")).not.toContain("lookupp");
  });

  test("rules that somebody else saved in between are shown beside those of the person, who loses nothing and may keep theirs", async () => {
    const page = await open("/rules");
    await page.getByRole("button", { name: "Change the rules" }).click();
    await page.getByRole("button", { name: "Add a rule" }).click();
    const line = page.getByRole("group", { name: "Rule 1" });
    await line.getByLabel("Tool").fill("lookup");
    await line.getByLabel("If its input has").fill("customer.name: ^Żółć 👩‍🚀 שלום$\namount: \\d+");
    const file = join(served.place.project, "bridle.yaml");
    await writeFile(file, `${deskFiles["bridle.yaml"]}policy: { rules: [{ tool: lookup, then: deny }] }\n`);
    await page.getByRole("button", { name: "Show the effects" }).click();
    await page.getByRole("button", { name: /^Save in/ }).click();
    const conflict = page.getByRole("alert");
    await conflict.getByText("Nothing was saved.").waitFor();
    expect(await conflict.getByRole("heading").allTextContents()).toEqual(["In the file now", "Yours"]);
    const [theirs, mine] = await conflict.locator("pre").allTextContents();
    expect(theirs).toContain('"then": "deny"');
    expect(mine).toContain('"customer.name": "^Żółć 👩‍🚀 שלום$"');
    expect(await conflict.boundingBox()).toMatchObject({ y: expect.toSatisfy((y) => y < 800) });
    expect(await line.getByLabel("If its input has").inputValue()).toContain("👩‍🚀");
    await page.getByRole("button", { name: "Keep mine" }).click();
    await page.locator(".diff-removed", { hasText: "deny" }).waitFor();
    await page.getByRole("button", { name: /^Save in/ }).click();
    await expect.poll(() => readFile(file, "utf8"), { timeout: 10_000 }).toMatch(/tool: lookup[\s\S]*👩‍🚀/);
  });
});
