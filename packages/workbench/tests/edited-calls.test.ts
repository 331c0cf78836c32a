/** Tests editing the input of a call on the page by keyboard, mouse and touch. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { deskFiles } from "../../app/tests/support/desk-files.ts";
import { browserPath } from "../../testing/tests/browser.ts";
import { type ServedPage, servePage } from "./support/serve-page.ts";
import { armed, composer, log, question, talk } from "./support/talk.ts";

const script = `rehearsal: 1
turns:
  - steps: [{ call: lookup, with: { id: "7" } }, { say: "The tool said: {{ lookup.result }}" }]
`;

const field = (page: Page) => page.getByLabel("Input of the call, as JSON");
const run = (page: Page) => page.getByRole("button", { name: "Run with this input, once" });

type Way = "keys" | "mouse" | "touch";

async function press(page: Page, way: Way, name: RegExp, key: string): Promise<void> {
  if (way === "keys") return page.keyboard.press(key);
  const button = page.getByRole("button", { name });
  return way === "mouse" ? button.click() : button.tap();
}

/** Submits the text of the field, and presses again at the same position, like an impatient user. */
async function send(page: Page, way: Way): Promise<void> {
  await question(page).locator("button[aria-disabled=false]", { hasText: "Run with this input" }).waitFor();
  if (way === "keys") {
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    return;
  }
  const { x = 0, y = 0, width = 0, height = 0 } = (await run(page).boundingBox()) ?? {};
  const [atX, atY] = [x + width / 2, y + height / 2];
  if (way === "mouse") await page.mouse.dblclick(atX, atY);
  else {
    await page.touchscreen.tap(atX, atY);
    await page.touchscreen.tap(atX, atY);
  }
}

describe.skipIf(!browserPath)("an edited call in the browser (if CHROMIUM_PATH or PATH has Chromium)", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage({ ...deskFiles, "script.yaml": script });
  });
  afterAll(() => served?.close());

  async function ask(way: Way): Promise<Page> {
    const viewport = way === "touch" ? { width: 390, height: 844 } : { width: 1280, height: 800 };
    const context = await served.browser.newContext({ viewport, hasTouch: way === "touch", reducedMotion: "reduce" });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(served.link);
    await talk(page, "Where is my order?");
    await armed(page);
    return page;
  }

  test.each<Way>(["keys", "mouse", "touch"])(
    "an input that the tool does not take stays in the editor with the reason, and nothing allows the original (%s)",
    async (way) => {
      const page = await ask(way);
      await press(page, way, /^Edit/, "e");
      await field(page).fill('{"idd": "9"}');
      await send(page, way);
      await page
        .getByText("Call it again", { exact: false })
        .or(page.locator(".line-problem", { hasText: "idd" }))
        .first()
        .waitFor();
      expect(await field(page).inputValue()).toBe('{"idd": "9"}');
      expect(await page.getByRole("button", { name: /^Yes/ }).count()).toBe(0);
      expect(await field(page).evaluate((element) => element.matches(":focus"))).toBe(true);
      await page.getByRole("button", { name: "Back" }).focus();
      for (const key of ["y", "s", "p", "a"]) await page.keyboard.press(key); // the answer keys, outside of the field
      await page.waitForTimeout(700);
      expect(await field(page).inputValue()).toBe('{"idd": "9"}');
      expect(await run(page).getAttribute("aria-disabled")).toBe("true"); // the same input is not sent twice
      await field(page).fill('{"id": "9"}');
      await send(page, way);
      await log(page).getByText("Order 9 is on its way", { exact: false }).last().waitFor();
      expect(await log(page).getByText("Order 7 is on its way", { exact: false }).count()).toBe(0);
    },
  );

  test("back from the editor, the answers wait for a moment and name the original input", async () => {
    const page = await ask("mouse");
    await press(page, "mouse", /^Edit/, "e");
    await field(page).fill('{"idd": "9"}');
    await send(page, "mouse");
    await page.locator(".line-problem", { hasText: "idd" }).first().waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    const yes = page.getByRole("button", { name: /^Yes, once, without the edit/ });
    expect(await yes.getAttribute("aria-disabled")).toBe("true");
    await armed(page);
    await page.keyboard.press("n");
    await question(page).waitFor({ state: "detached" });
    await composer(page).waitFor();
  });
});
