/** Tests long content on narrow screens, late content, and empty views. */
import { setTimeout } from "node:timers/promises";
import { openWorkspace } from "@bridle/app/serving";
import { BridleClient } from "@bridle/client";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { deskFiles } from "../../app/tests/support/desk-files.ts";
import { openTestContext } from "../../app/tests/support/open-test-workspace.ts";
import { beginSession } from "../../server/tests/support/written-session.ts";
import { browserPath } from "../../testing/tests/browser.ts";
import { findFaults } from "./support/find-faults.ts";
import { type ServedPage, servePage } from "./support/serve-page.ts";

const longTool = "warehouse_inventory_reservation_release_for_customers";
const longRule = `policy.rules[0].tool:${longTool}`;
const policy = `policy: { rules: [{ tool: ${longTool}, then: ask, when: { customer.address.country: "^(Germany|France|Luxembourg)$" } }] }\n`;
const reason = "The rule asks because the change reaches a system that other people use. ".repeat(4).trim();
const preview = ["--- orders.txt", "+++ orders.txt", "@@ -1,3 +1,3 @@", "-sent: no", "+sent: yes", " id: 7"].join("\n");

const tool = `  - type: function
    name: ${longTool}
    file: tools.mjs
    function: lookup
    description: Releases what was reserved.
    parameters: { id: { type: string, description: The number. } }
`;

const cases = `test_cases:
  - { name: fails, input: Hi., ground_truth: A walnut desk., evaluations: [{ type: standard, metric: f1, threshold: 0.6 }] }
  - { name: takes, input: slow }
`;

const observeShifts = `window.shifts = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) window.shifts += value;
}).observe({ type: "layout-shift", buffered: true });`;

/** Returns the elements whose content overflows. */
const overflowing = (selector: string) =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1).map((each) => each.value)`;

/** Returns the words of an element, each with the number of lines that it takes. */
const brokenWords = (
  selector: string,
) => `[...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((each) => {
  const broken = [];
  const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const { index, 0: word } of texts.currentNode.data.matchAll(/[A-Za-z]+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
})`;

describe.skipIf(!browserPath)("what is long, late or empty (if CHROMIUM_PATH or PATH has Chromium)", () => {
  let served: ServedPage;
  beforeAll(async () => {
    const yaml = `${deskFiles["bridle.yaml"]}${policy}`;
    served = await servePage(
      {
        ...deskFiles,
        "bridle.yaml": yaml,
        "agent.yaml": `${deskFiles["agent.yaml"]?.replace("policy:", `${tool}policy:`)}${cases}`,
      },
      ({ project }) => writeQuestion(project),
    );
  });
  afterAll(() => served?.close());

  async function open(path: string, width = 360): Promise<Page> {
    const page = await served.open("/inbox");
    onTestFinished(() => page.context().close());
    await page.setViewportSize({ width, height: 640 });
    await page.goto(served.url + path);
    return page;
  }

  test("long names of tools, long conditions and long lists of names are seen whole in the editor of rules", async () => {
    for (const width of [360, 1280]) {
      const page = await open("/rules", width);
      await page.getByRole("button", { name: "Change the rules" }).click();
      await page.getByLabel("Switched off").fill(Array.from({ length: 8 }, () => longTool).join(", "));
      expect(await page.getByRole("group", { name: "Rule 1" }).getByLabel("Tool").inputValue()).toBe(longTool);
      expect(await page.evaluate(overflowing(".rules-editor :is(input, textarea)"))).toEqual([]);
      if (width === 360) expect(await findFaults(page)).toEqual([]);
    }
  });

  test("Enter in the field of a tool shows what would change, and writes no line break", async () => {
    const page = await open("/rules", 1280);
    await page.getByRole("button", { name: "Change the rules" }).click();
    const tool = page.getByRole("group", { name: "Rule 1" }).getByLabel("Tool");
    await tool.press("Enter");
    await page.getByRole("heading", { name: "What would have happened" }).waitFor();
    expect(await tool.inputValue()).toBe(longTool);
  });

  test("Enter shows nothing while a rule is not complete, so that it cannot be lost by saving", async () => {
    const page = await open("/rules", 1280);
    let asked = 0;
    await page.route("**/rules/preview", (route) => {
      asked += 1;
      return route.continue();
    });
    await page.getByRole("button", { name: "Change the rules" }).click();
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByRole("group", { name: "Rule 2" }).getByLabel("If its input has").fill("id: 7");
    const tool = page.getByRole("group", { name: "Rule 1" }).getByLabel("Tool");
    await tool.press("Enter");
    await page.getByText("Name the tool").waitFor();
    expect(await page.getByRole("button", { name: "Show the effects" }).isDisabled()).toBe(true);
    await page.getByRole("group", { name: "Rule 2" }).getByLabel("Tool").fill("lookup");
    await tool.press("Enter");
    await page.getByRole("heading", { name: "What would have happened" }).waitFor();
    expect(asked).toBe(1);
  });

  test("the id of a rule breaks between its words and not in one", async () => {
    const page = await open("/rules");
    const ids = [
      longRule,
      "annotations.destructive",
      "policy-mode:read-only-for-everybody",
      "policy.annotations.openWorld",
    ];
    await page.route("**/api/v1/rules", async (route) => {
      const rules = await (await route.fetch()).json();
      const order = ids.map((rule) => ({ rule, subject: "everything", decision: "ask" }));
      await route.fulfill({ json: { ...rules, order }, headers: { etag: '"x"' } });
    });
    await page.reload();
    await page.locator(".rule-id").first().waitFor();
    expect(await page.locator(".rule-id").first().textContent()).toBe(longRule);
    expect(await page.evaluate(brokenWords(".rule-id"))).toEqual([]);
  });

  test("a long reason of a question leaves its change in sight on a narrow screen, and opens by a key", async () => {
    const page = await open("/s/asked");
    const question = page.locator(".dock .question");
    await question.waitFor();
    const shown = `((diff, answers) => Math.min(diff.bottom, answers.top) - diff.top)(
      ...[".diff", ".actions"].map((each) => document.querySelector(".dock .question " + each).getBoundingClientRect()),
    )`;
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await page.evaluate(shown)).toBeGreaterThan(90);
    const opener = question.getByRole("button", { name: "… Whole reason" });
    expect(await opener.getAttribute("aria-expanded")).toBe("false");
    expect(await findFaults(page)).toEqual([]);
    await question.focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await question.getByRole("button", { name: "Less of the reason" }).getAttribute("aria-expanded")).toBe(
      "true",
    );
    expect(
      await page.evaluate(
        "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.dock .question .reason'))",
      ),
    ).toBeLessThanOrEqual(1);
    expect(await question.locator(".reason").textContent()).toBe(reason);
    expect(await findFaults(page)).toEqual([]);
  });

  test("the head of a test run says one thing from the start: how many trials have ended, and how many of them did not pass", async () => {
    const client = new BridleClient({ url: served.url, token: tokenOf(served) });
    const { id } = await client.startTests({ agent: "agent", trials: 1 });
    onTestFinished(async () => void (await client.stopTests(id)));
    while ((await client.testRunOverview(id)).summary.failed === 0) await setTimeout(50);
    const page = await open("/inbox", 1280);
    await page.route("**/events?overview=1", () => new Promise(() => {})); // no news for now
    await page.goto(`${served.url}/tests/${id}`);
    await page.getByRole("button", { name: "Stop" }).waitFor();
    const said = await page.locator("main").getByRole("status").allTextContents();
    expect(said.filter(Boolean)).toEqual(["In progress: 1 of 2 trials ended, 1 of them not passed"]);
  });

  test("checks that come late move nothing at home and on the page of the status", async () => {
    const ok = { title: "A check", detail: "It is well." };
    const checks = Array.from({ length: 12 }, (_, id) => ({ id: `c${id}`, ...ok, ok: id > 1, remedy: "Correct it." }));
    for (const width of [360, 1280]) {
      const page = await open("/inbox", width);
      await page.route("**/api/v1/status", async (route) => {
        const status = await (await route.fetch()).json();
        await route.fulfill({ json: { ...status, rehearsed: false } });
      });
      await page.route("**/api/v1/doctor", async (route) => {
        await setTimeout(1500);
        await route.fulfill({ json: { ok: false, checks } });
      });
      await page.addInitScript(observeShifts);
      await page.goto(served.url);
      await page.getByText("Correct it.").first().waitFor({ state: "attached" });
      expect(await page.evaluate("window.shifts")).toBeLessThanOrEqual(0.02);
      await page.getByText("2 checks fail").click();
      if (width === 360) expect(await findFaults(page)).toEqual([]);
      await page.goto(`${served.url}/status`);
      await page.getByText("It is well.").first().waitFor();
      expect(await page.evaluate("window.shifts")).toBeLessThanOrEqual(0.02);
    }
  });

  test("without a session the list of sessions says so, and an empty data context says its next step once", async () => {
    const page = await open("/inbox", 1280);
    await page.route(/\/api\/v1\/sessions\?/, (route) => route.fulfill({ json: { sessions: [], next: null } }));
    await page.goto(`${served.url}/context`);
    await page.getByRole("region", { name: "Sessions" }).getByText("None yet.").waitFor();
    await page.getByRole("button", { name: "npx bridle context init" }).waitFor();
    await page.getByRole("button", { name: "npx bridle context ingest docs" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Parts of the data context" }).count()).toBe(0);
    expect(await page.locator("main").textContent()).not.toMatch(/\b0\b/);
  });

  test("the page writes moments in one way, whatever the language of the browser", async () => {
    const page = await open("/inbox", 1280);
    const window = { backend: "b", window: "five_hour", utilization: 0.9, isUsedUp: false, at: "2026-01-01T00:00:00Z" };
    const resetsAt = new Date(2027, 0, 2, 3, 4, 5).toISOString();
    await page.route("**/api/v1/limits", (route) =>
      route.fulfill({ json: { usedUp: null, windows: [{ ...window, resetsAt }], onUsageLimit: "wait" } }),
    );
    await page.goto(`${served.url}/status`);
    await page.getByText("opens again at 2027-01-02 03:04:05").waitFor();
    await page
      .getByRole("region", { name: "Processes" })
      .getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      .waitFor();
  });
});

function tokenOf({ link }: ServedPage): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get("token") ?? "";
}

/** Writes a session `asked` with a run that waits for an answer. The question has a long reason and a preview of the change. */
async function writeQuestion(project: string): Promise<void> {
  const workspace = await openWorkspace(await openTestContext(project), {});
  const writer = await beginSession(workspace.eventLog, "asked");
  const call = { callId: "c", tool: longTool, input: { id: "7" }, inputHash: "0" };
  writer.append("run_of_asked", { type: "tool.requested", ...call });
  writer.append("run_of_asked", {
    type: "approval.requested",
    approvalId: "question-1",
    ...call,
    attempt: 1,
    builtin: false,
    everyTime: false,
    rule: "policy.rules[0]",
    reason,
    preview,
  });
  await writer.close();
  await workspace.close();
}
