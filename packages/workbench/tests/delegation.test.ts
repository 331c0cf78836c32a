/** Tests agents that call other agents on the page, with a real server and a scripted model. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deskFiles } from "../../app/tests/support/desk-files.ts";
import { browserPath } from "../../testing/tests/browser.ts";
import { type ServedPage, servePage } from "./support/serve-page.ts";
import { armed, beginTalk, log, openPage, question, say } from "./support/talk.ts";

const files = {
  ...deskFiles,
  "agent.yaml": `name: boss
instructions: { inline: You are boss. }
model: { provider: openai, name: desk-model }
tools: [{ type: agent, name: helper, file: helper.yaml }]
policy: { rules: [{ tool: helper, then: allow }, { tool: lookup, then: allow }] }
`,
  "helper.yaml": (deskFiles["agent.yaml"] ?? "")
    .replace("name: desk", "name: helper")
    .replace("Be kind.", "You are helper."),
  "script.yaml": `rehearsal: 1
turns:
  - when: { system: You are helper. }
    steps: [{ call: lookup, with: { id: "7" } }, { say: The helper has found it. }]
  - when: { user: order }
    steps: [{ call: helper, with: { task: Find order 7. } }, { say: All is well. }]
  - when: { user: again }
    steps: [{ say: It is the same as before. }]
`,
};

describe.skipIf(!browserPath)("an agent that calls another one in the browser (if there is Chromium)", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage(files);
  });
  afterAll(() => served?.close());

  const begin = () => beginTalk(served, "Where is my order?");
  const shows = (page: Page, text: RegExp) => log(page).locator(".call-line", { hasText: text }).waitFor();

  test("its question is answered at the caller's page, and the nested conversation and its replay are linked at the call", async () => {
    const page = await begin();
    await armed(page);
    expect(await question(page).textContent()).toMatch(/May lookup run\?[\s\S]*asked by the agent helper/);
    await shows(page, /helper[\s\S]*lookup waits for an answer/);
    await page.keyboard.press("y");
    await log(page).getByText("All is well.").waitFor();
    const caller = page.url();
    await log(page).getByRole("link", { name: "The agent’s own conversation" }).click();
    await page.waitForURL((url) => /\/s\//.test(url.pathname) && url.href !== caller);
    await log(page).getByText("The helper has found it.").waitFor();
    expect(await log(page).locator(".prompt").textContent()).toContain("Find order 7.");
    await shows(page, /lookup/);
    await page.getByRole("link", { name: "Caller" }).waitFor();
    await say(page, "Look again.");
    await log(page).getByText("It is the same as before.").waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Caller" }).click();
    await page.waitForURL(caller);
    await log(page).getByRole("link", { name: "Replay" }).first().click();
    await page.getByRole("region", { name: "The run up to here" }).getByText("lookup").first().waitFor();
  });

  test("its question is in the inbox with the agent's name, and a denial there reaches it", async () => {
    const caller = await begin();
    await question(caller).waitFor();
    const inbox = await openPage(served, "/inbox");
    await armed(inbox);
    expect(await question(inbox).textContent()).toContain("asked by the agent helper");
    await inbox.keyboard.press("n");
    await log(caller).getByText("All is well.").waitFor();
    await question(caller).waitFor({ state: "detached" });
    await log(caller).getByRole("link", { name: "The agent’s own conversation" }).click();
    await log(caller).locator(".call-time", { hasText: "denied" }).waitFor();
  });
});
