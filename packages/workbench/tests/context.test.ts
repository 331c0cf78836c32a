/** Tests the data context and the context window of a session in a real browser. */
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { scanAll, shopConnection, writeDataContext } from "../../app/tests/support/data-context.ts";
import { deskFiles } from "../../app/tests/support/desk-files.ts";
import { openTestContext } from "../../app/tests/support/open-test-workspace.ts";
import { browserPath } from "../../testing/tests/browser.ts";
import { writeHostileSession } from "./support/hostile-session.ts";
import { type ServedPage, servePage } from "./support/serve-page.ts";

const hostileTables = `
  CREATE TABLE "<img src=x onerror=alert(1)>" ("<script>alert(1)</script>" TEXT, "x\u202egnp.exe" TEXT);
  INSERT INTO "<img src=x onerror=alert(1)>" VALUES ('<svg onload=alert(1)>', '[open](javascript:alert(1))');
  CREATE TABLE "line
break" (id INTEGER PRIMARY KEY);
`;
const sides = ["<b>Paid</b> orders count.", "Sent orders count. ![p](https://elsewhere.example/a.png)"] as const;

describe.skipIf(!browserPath)("the context in the browser (if CHROMIUM_PATH or PATH has Chromium)", () => {
  let served: ServedPage;
  beforeAll(async () => {
    const yaml = `${deskFiles["bridle.yaml"]}${shopConnection}`;
    served = await servePage({ ...deskFiles, "bridle.yaml": yaml }, async ({ project }) => {
      await writeDataContext(project, { more: hostileTables, sides });
      await scanAll(await openTestContext(project));
      await writeHostileSession(project, "hostile");
    });
  });
  afterAll(() => served?.close());

  /** Opens a page and records its errors. */
  async function open(path: string): Promise<{ readonly page: Page; readonly problems: string[] }> {
    const page = await served.open("/inbox");
    onTestFinished(() => page.context().close());
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("dialog", (dialog) => void problems.push(`dialog ${dialog.message()}`));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.context().on("request", (request) => {
      if (!request.url().startsWith(`${served.url}/`)) problems.push(request.url());
    });
    await page.goto(served.url + path);
    return { page, problems };
  }

  const detail = (page: Page) => page.getByRole("region", { name: "What is open" });

  test("tables, joins, metrics, pages and both sides of what is contested have an address each, with the facts of the commands", async () => {
    const { page, problems } = await open("/context?open=shop.main.customers");
    await detail(page).getByRole("cell", { name: "sensitive: email" }).waitFor();
    await detail(page).getByText("table, 2 rows").waitFor();
    await page.goto(`${served.url}/context?view=joins&q=customer_id`);
    await page.getByRole("button", { name: /orders\.customer_id/ }).click();
    await detail(page).getByText("declared in the database").first().waitFor();
    await detail(page).getByText("npx bridle context joins reject").waitFor();
    await page.goto(`${served.url}/context?view=metrics&open=orders&measure=orders.revenue&by=orders.placed_on`);
    await detail(page).locator(".sql").waitFor();
    expect(await detail(page).locator(".sql").textContent()).toMatch(/GROUP BY/i);
    await detail(page).getByText("npx bridle query orders.revenue --by orders.placed_on").waitFor();
    await page.goto(`${served.url}/context?view=pages&open=orders`);
    await detail(page).locator("strong", { hasText: "paid" }).waitFor();
    await detail(page).getByText("The order book").waitFor();
    await page.goto(`${served.url}/context?view=contested`);
    for (const side of sides) await page.getByText(side).waitFor();
    await page.getByText("npx bridle context review choose aaaaaaaa").waitFor();
    await page.goto(`${served.url}/context?view=search&q=orders`);
    await page.getByRole("region", { name: "Tables" }).getByRole("link", { name: "shop.main.orders" }).waitFor();
    expect(problems).toEqual([]);
  });

  test("names of tables and columns, values and statements are text, and what is hidden in them is shown", async () => {
    const { page, problems } = await open("/context");
    await page.getByRole("button", { name: /<img src=x onerror=alert\(1\)>/ }).click();
    await detail(page).getByText("<script>alert(1)</script>").first().waitFor();
    await detail(page).getByText("x\\u{202e}gnp.exe").first().waitFor();
    await page.getByRole("button", { name: "line\\u{a}break" }).waitFor();
    const found = await page.evaluate(
      "document.querySelectorAll('main img, main script, main b, main svg, main iframe').length",
    );
    await page.goto(`${served.url}/context?view=contested`);
    await page.getByText(sides[1]).waitFor();
    expect([found, await page.evaluate("document.querySelectorAll('main img, main b').length")]).toEqual([0, 0]);
    expect(problems).toEqual([]);
  });

  test("the data context is used by keys alone: views, the filter, the next entry, and closing it", async () => {
    const { page } = await open("/");
    await page.getByRole("heading").first().waitFor();
    for (const key of ["g", "c"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: /shop\.main\.customers/ }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("customers");
    await page.getByText("1 of 4 tables").waitFor();
    await page.evaluate("document.activeElement?.blur()");
    await page.keyboard.press("j");
    await page.waitForURL(/open=shop\.main\.customers/);
    await page.keyboard.press("o");
    await detail(page).waitFor({ state: "detached" });
    for (const key of ["v", "p"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: /^Orders/ }).waitFor();
  });

  test("of a thousand tables with twenty thousand columns, only those near the screen are elements, and a column finds its table", async () => {
    const { page } = await open("/context");
    await page.route("**/api/v1/context/tables*", (route) =>
      route.fulfill({ json: manyTables(route.request().url()) }),
    );
    await page.reload();
    await page.getByRole("button", { name: /warehouse\.t0000/ }).waitFor();
    const elements = "document.querySelectorAll('*').length";
    expect(await page.evaluate(elements)).toBeLessThan(1500);
    await page.evaluate("document.getElementById('main').scrollTop = 30_000");
    await page
      .getByRole("button", { name: /warehouse\.t0[5-9]/ })
      .first()
      .waitFor();
    expect(await page.evaluate(elements)).toBeLessThan(1500);
    await page.getByLabel("Filter the tables").fill("t0777_c19");
    await page.getByRole("button", { name: /warehouse\.t0777.*in t0777_c19/ }).waitFor();
  });

  test("a project without databases shows the commands that connect one", async () => {
    const { page } = await open("/inbox");
    const empty = { tables: 0, joins: 0, joinsToReview: 0, models: 0, measures: 0, pages: 0, contradictions: 0 };
    const overview = { connections: [], sources: [], ingest: null, ingestProblem: null, counts: empty, problems: [] };
    await page.route("**/api/v1/context", (route) => route.fulfill({ json: overview }));
    await page.route("**/api/v1/context/tables*", (route) => route.fulfill({ json: { tables: [], next: null } }));
    await page.goto(`${served.url}/context`);
    await page.getByText("npx bridle context init").waitFor();
    await page.getByText("npx bridle context demo --output roaster").waitFor();
  });

  test("what ingest has stored may be damaged: the page says so where it would be, and shows the rest", async () => {
    const damaged = await servePage(
      { ...deskFiles, "bridle.yaml": `${deskFiles["bridle.yaml"]}${shopConnection}` },
      async ({ project }) => {
        await writeDataContext(project);
        await scanAll(await openTestContext(project));
        await truncate(join(project, ".bridle/context/ingest.sqlite"), 5000);
      },
    );
    onTestFinished(() => damaged.close());
    const page = await damaged.open("/context?open=shop.main.customers");
    await detail(page).getByText("table, 2 rows").waitFor();
    const said = page.getByText(/What ingest has stored in .* is damaged\. Remove the file, and ingest again\./);
    expect(await said.count()).toBe(1);
    await detail(page).getByText("Why is this known?").click();
    await detail(page)
      .getByRole("alert")
      .getByText(/is damaged\./)
      .waitFor();
    await page.getByRole("link", { name: "Pages 1" }).click();
    await page.getByRole("button", { name: /^Orders/ }).waitFor();
    await page.getByRole("link", { name: "Contested cannot be read" }).click();
    await page
      .getByRole("alert")
      .getByText(/is damaged\./)
      .waitFor();
  });

  test("the map of the window and its table show the same parts, and a box opens its row by keys", async () => {
    const { page, problems } = await open("/context/hostile");
    const boxes = page.getByRole("group", { name: /Map of the window/ }).getByRole("button");
    await boxes.first().waitFor();
    const [box] = await boxes.all();
    const name = (await box?.getAttribute("title")) ?? "";
    expect(name).toMatch(/^\w+: .*, [\d,]+ tokens, [\d.]+%$/s);
    await boxes.first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForURL(/open=\d+/);
    const row = page.locator("tr[aria-current=true]");
    await row.waitFor();
    const pressed = await page.locator(".map-box[aria-pressed=true]").getAttribute("title");
    expect(pressed).toContain(await row.locator("bdi").textContent());
    expect(pressed).toContain(`, ${await row.locator("td").nth(1).textContent()} tokens, `);
    await page.getByRole("button", { name: /^Answers [\d,]+$/ }).click();
    await page.waitForURL(/kind=answer/);
    expect(problems).toEqual([]);
  });
});

/** Creates a page of 500 tables with 20 columns each, as the server sends it. */
function manyTables(url: string) {
  const first = new URL(url).searchParams.has("cursor") ? 500 : 0;
  const tables = Array.from({ length: 500 }, (_, index) => {
    const table = `t${String(first + index).padStart(4, "0")}`;
    const columns = Array.from({ length: 20 }, (__, column) => ({ name: `${table}_c${column}`, type: "TEXT" }));
    return { id: `shop.warehouse.${table}`, kind: "table", rows: index, rowsAreExact: true, columns };
  });
  return { tables, next: first === 0 ? "next" : null };
}
