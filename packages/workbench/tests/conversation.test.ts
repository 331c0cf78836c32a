/** Tests conversations and the inbox in a real browser, with a real server and a scripted model. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deskFiles } from "../../app/tests/support/desk-files.ts";
import { browserPath } from "../../testing/tests/browser.ts";
import { writeLongSession } from "./support/long-session.ts";
import { writeRetriedSession } from "./support/retried-session.ts";
import { type ServedPage, servePage } from "./support/serve-page.ts";
import { armed, beginTalk, composer, log, openPage, question, say } from "./support/talk.ts";

const script = `rehearsal: 1
turns:
  - when: { user: both }
    steps:
      - say: I look at both.
        calls: [{ call: lookup, with: { id: "1" } }, { call: lookup, with: { id: "2" } }]
      - say: Both are on their way.
  - when: { user: order }
    steps: [{ call: lookup, with: { id: "7" } }, { say: It is **on its way**. }]
  - when: { user: stall }
    steps: [{ say: This never ends, stall: true }]
  - steps: [{ say: Hello from the desk. }]
`;

/** Presses a key as soon as a question appears, as if the key were meant for something else. */
const pressAtOnce = `new MutationObserver((_, observer) => {
  if (document.querySelector(".dock .question") === null) return;
  observer.disconnect();
  setTimeout(() => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "y", bubbles: true }));
    window.hasPressed = true;
  }, 50);
}).observe(document.body, { childList: true, subtree: true });`;

describe.skipIf(!browserPath)("a conversation in the browser (if CHROMIUM_PATH or PATH has Chromium)", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage({ ...deskFiles, "script.yaml": script }, async ({ project }) => {
      await writeLongSession(project, "long", 5_000);
      await writeLongSession(project, "calls", 60, 60);
      await writeRetriedSession(project, "retried", 400_000);
    });
  });
  afterAll(() => served?.close());

  const open = (path?: string) => openPage(served, path);
  const begin = (prompt: string) => beginTalk(served, prompt);

  /** Clicks at the visible position of this answer. Its name ends with its key. */
  async function click(page: Page, answer: string): Promise<void> {
    await armed(page);
    const button = question(page).getByRole("button", { name: new RegExp(`^${answer} .$`) });
    const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    await page.mouse.click(x + width / 2, y + height / 2);
  }

  test("a turn with a question is held by keys alone, and the question takes no answer at once", async () => {
    const page = await begin("hello");
    await log(page).getByText("Hello from the desk.").waitFor();
    await page.evaluate(pressAtOnce);
    await say(page, "Where is my order?");
    await armed(page);
    expect(await page.evaluate("window.hasPressed")).toBe(true);
    expect(await question(page).count()).toBe(1);
    await page.keyboard.press("y");
    await log(page).locator("strong", { hasText: "on its way" }).waitFor();
    expect(await log(page).locator(".call-line").textContent()).toMatch(/lookup.*id: 7/);
    await page.waitForFunction("document.activeElement.closest('.composer')"); // the element that had the focus before the question
    expect(await page.locator(".announcements p").allInnerTexts()).toEqual([
      "Hello from the desk.",
      "It is on its way.",
    ]);
    const asked = page.getByRole("region", { name: "New questions" }).getByRole("alert");
    expect(await asked.allInnerTexts()).toEqual([expect.stringMatching(/^A question: may lookup run\?/)]);
  });

  test("keys after g answer no question, and a question on the page is on the tab too", async () => {
    const page = await begin("Where is my order?");
    await armed(page);
    expect(await page.title()).toMatch(/^\(\d+\) Bridle$/);
    expect(await page.locator("link[rel=icon]").getAttribute("href")).toMatch(/^data:image\/svg\+xml,.*text-anchor/);
    await page.keyboard.press("g");
    await page.keyboard.press("x");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.waitForURL(/\/status$/);
    await page.goBack();
    await armed(page);
    await page.keyboard.press("n");
    await question(page).waitFor({ state: "detached" });
  });

  test("keys answer nothing while a person writes, and a denial gives the model their words", async () => {
    const page = await begin("Where is my order?");
    await armed(page);
    await composer(page).fill("");
    await page.keyboard.type("no, yes, always");
    expect(await composer(page).inputValue()).toBe("no, yes, always");
    expect(await question(page).count()).toBe(1);
    await page.getByRole("button", { name: /No, because/ }).click();
    await page.getByLabel("What the model is told").fill("Ask the customer first.");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await question(page).waitFor({ state: "detached" });
    await log(page).locator(".call-line").click();
    await log(page).getByText("Ask the customer first.").waitFor();
  });

  test("each of two questions is answered with the mouse, from the call that it is about, and is in sight at 200 % too", async () => {
    const page = await begin("Look at both");
    await log(page).getByRole("button", { name: "Answer", exact: true }).nth(1).click();
    await question(page).getByText('"2"').waitFor();
    await page.setViewportSize({ width: 640, height: 400 }); // 1280 × 800 at 200 %
    await question(page).getByRole("heading").click({ trial: true }); // nothing covers it
    await page.setViewportSize({ width: 1280, height: 800 });
    await click(page, "Yes, once");
    await question(page).getByText('"1"').waitFor();
    await click(page, "No");
    await log(page).getByText("Both are on their way.").waitFor();
    expect(await log(page).locator(".call-time").allInnerTexts()).toEqual(["denied", expect.stringMatching(/ms$/)]);
  });

  test("what is sent during a run waits, survives a reload, and begins one run each", async () => {
    const page = await begin("order");
    await question(page).waitFor(); // the run ends when the test answers, even on a slow machine
    await say(page, "first of the queue");
    await say(page, "second of the queue");
    await page.getByText("Waits to be sent").nth(1).waitFor();
    await page.reload();
    await armed(page); // the question appears after the messages, and moves them
    await page.getByRole("button", { name: "Take back" }).nth(1).click();
    await expect.poll(() => composer(page).inputValue()).toBe("second of the queue");
    await question(page).getByRole("button", { name: "Yes, once" }).click();
    await log(page).getByText("Hello from the desk.").waitFor();
    expect(await log(page).locator(".prompt").allInnerTexts()).toEqual(
      ["order", "first of the queue"].map((text) => expect.stringContaining(text)),
    );
    await page.reload();
    await log(page).getByText("Hello from the desk.").waitFor();
    expect(await composer(page).inputValue()).toBe("second of the queue");
  });

  test("a second Escape stops the run, and the answer that it cut off is folded", async () => {
    const page = await begin("stall");
    await log(page).getByText("This never").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("again stops the run").waitFor();
    await page.keyboard.press("Escape");
    await log(page).getByText("Stopped.").waitFor();
    await log(page).getByText("This answer was cut off: its run was stopped").waitFor();
  });

  test("a long paste becomes an attachment, and an arrow up writes the last message again", async () => {
    const page = await begin("hello");
    await log(page).getByText("Hello from the desk.").waitFor();
    await composer(page).focus();
    await page.keyboard.press("ArrowUp");
    expect(await composer(page).inputValue()).toBe("hello");
    await page.evaluate(`{
      const data = new DataTransfer();
      data.setData("text/plain", "x".repeat(4001));
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }`);
    await page.getByRole("button", { name: "Remove pasted.txt" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Remove pasted.txt" }).waitFor();
    await composer(page).press("Enter");
    await log(page).getByText("Attached: pasted.txt").waitFor();
  });

  test("a message that the server refuses says why, holds back those behind it, and is sent again or removed", async () => {
    const page = await begin("hello");
    await log(page).getByText("Hello from the desk.").waitFor();
    const problem = { title: "Busy", status: 409, detail: "Another process talks in this session.", code: "busy" };
    await page.route("**/runs", (route) =>
      route.fulfill({ status: 409, contentType: "application/problem+json", body: JSON.stringify(problem) }),
    );
    await say(page, "refused");
    const refusal = page.getByRole("alert").filter({ hasText: "Not sent: Another process talks in this session." });
    await refusal.waitFor();
    await say(page, "behind it");
    await refusal.getByText("1 message waits behind it.").waitFor();
    await page.unroute("**/runs");
    await refusal.getByRole("button", { name: "Send again" }).click();
    await log(page).getByText("Hello from the desk.").nth(2).waitFor();
    expect(await log(page).locator(".prompt").allInnerTexts()).toEqual(
      ["hello", "refused", "behind it"].map((text) => expect.stringContaining(text)),
    );
  });

  test("Enter on an entry shows all about it beside the conversation, and its address shows the same to another person", async () => {
    const page = await open("/s/calls");
    await log(page).getByText("Looked at 60 orders.").waitFor();
    const inspector = (each: Page) => each.getByRole("complementary", { name: "Inspector" });
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await inspector(page).getByText('"id": "59"').waitFor();
    expect(await page.evaluate("document.activeElement.dataset.seq")).toBeDefined();
    await page.keyboard.press("k");
    await inspector(page).getByText('"id": "58"').waitFor();
    await inspector(page).getByRole("tab", { name: "Events" }).click();
    await inspector(page).getByText("tool.finished").waitFor();
    await page.setViewportSize({ width: 800, height: 800 });
    const [besides, composerBox] = [await inspector(page).boundingBox(), await composer(page).boundingBox()];
    expect((composerBox?.x ?? 0) + (composerBox?.width ?? 0)).toBeLessThan(besides?.x ?? 0);
    await page.setViewportSize({ width: 1280, height: 800 });
    const other = await open(page.url().slice(served.url.length));
    await inspector(other).getByText("tool.finished").waitFor();
    await other.keyboard.press("Escape");
    await inspector(other).waitFor({ state: "detached" });
    expect(new URL(other.url()).search).toBe("");
    const shown = "[...document.querySelectorAll('.call-line')].filter(isInView).length";
    const isInView = `const isInView = (line) => {
      const [list, box] = [document.querySelector('.entries'), line].map((each) => each.getBoundingClientRect());
      return box.top >= list.top && box.bottom <= list.bottom;
    };`;
    await other.evaluate("document.querySelector('.entries').scrollTop -= 200");
    await expect
      .poll(() => other.evaluate<number>(`(() => { ${isInView} return ${shown}; })()`))
      .toBeGreaterThanOrEqual(25);
  });

  test("what a response had said before it was requested again is struck out, and a long result is shown whole", async () => {
    const page = await open("/s/retried/runs/run_of_retried");
    await page.getByRole("region", { name: "The run up to here" }).getByText("requested again (1 of 3)").click();
    await page.locator("del", { hasText: "This is void" }).waitFor();
    await page.goto(`${served.url}/s/retried`);
    expect(await page.getByRole("link", { name: "Caller" }).getAttribute("href")).toBe("/s/calls");
    await log(page).getByText("This response was requested again (1 of 3): overloaded").click();
    await log(page).locator("del", { hasText: "This is void" }).waitFor();
    await log(page).getByText("This counts.").waitFor();
    await log(page).getByRole("button", { name: "Inspect" }).last().press("Enter");
    const result = page.getByRole("region", { name: "Result, all of it" });
    await result.waitFor();
    expect(await result.locator("*").count()).toBeLessThan(20);
    await expect
      .poll(async () => {
        await result.press("End"); // the heights of pieces are known only after they are rendered
        return result.getByText("the end of it").count();
      })
      .toBe(1);
  });

  test("a fork begins another session with what was said up to there", async () => {
    const page = await begin("hello");
    await log(page).getByText("Hello from the desk.").waitFor();
    const before = page.url();
    await page.getByRole("button", { name: /^Go on from here/ }).press("Enter");
    await page.waitForURL((url) => /\/s\//.test(url.pathname) && url.href !== before);
    await say(page, "and again");
    await log(page).getByText("Hello from the desk.").last().waitFor();
  });

  test("the inbox has the questions of all sessions, answers the marked one by key, and says who answered", async () => {
    const [first, second] = [await begin("order one"), await begin("order two")];
    await Promise.all([question(first).waitFor(), question(second).waitFor()]);
    const page = await open("/inbox");
    await page.locator(".question").nth(1).waitFor();
    await page.keyboard.press("j");
    await page.locator("li.chosen:nth-child(2) button[aria-disabled=false]").first().waitFor();
    await page.keyboard.press("y");
    await log(second).locator("strong", { hasText: "on its way" }).waitFor();
    expect(await question(first).count()).toBe(1);
    await page.locator("li.chosen button[aria-disabled=false]").first().waitFor();
    await page.keyboard.press("n");
    await page.getByText("Nothing waits for you.").waitFor();
    await page.getByRole("button", { name: "npx bridle approvals list" }).waitFor();
    await question(first).waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Last answers" }).getByText("deny").first().waitFor();
  });

  test("a session of 10,000 events has few elements, at its end and wherever a person goes by keys or search", async () => {
    const page = await open("/s/long");
    await log(page).getByText("Looked at 5000 orders.").waitFor();
    const elements = () => page.evaluate<number>("document.querySelectorAll('*').length");
    expect(await elements()).toBeLessThan(4_000);
    await page.keyboard.press("/");
    await page.keyboard.type("Looked at 2500 orders");
    await log(page).getByText("Looked at 2500 orders.").waitFor();
    await page.keyboard.press("Escape");
    expect(await elements()).toBeLessThan(4_000);
  });
});
