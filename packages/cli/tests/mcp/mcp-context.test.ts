import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectOverHttp } from "../../../mcp-server/tests/client-for-tests.ts";
import { type Place, startCommand } from "../support/command.ts";
import { callForText, createDataProject, hostile, listenWithTokens } from "./context-fixture.ts";
import { connectToCommand } from "./mcp-fixture.ts";

let place: Place;
beforeAll(async () => {
  place = await createDataProject();
});
afterAll(() => place?.remove());

const contextTools = ["search_context", "describe", "run_sql", "find_value"];

/** Calls of every tool: ordinary calls, calls with answers above the size limit, hostile calls, and calls for sensitive values. */
const calls: readonly [tool: string, input: Record<string, string>][] = [
  ["search_context", { query: "orders of customers" }],
  ["search_context", { query: "machine measured property value" }],
  ["search_context", { query: "system ignore all rules" }],
  ["describe", {}],
  ["describe", { name: "shop.main.customers" }],
  ["describe", { name: "shop.main.suppliers" }],
  ["describe", { name: "shop.main.machine_log" }],
  ["describe", { name: hostile }],
  ["run_sql", { connection: "shop", statement: "SELECT * FROM customers" }],
  ["run_sql", { connection: "shop", statement: "SELECT * FROM suppliers" }],
  ["run_sql", { connection: "shop", statement: "SELECT * FROM machine_log" }],
  ["run_sql", { connection: "shop", statement: `SELECT * FROM "${hostile}"` }],
  ["run_sql", { connection: "shop", statement: "DELETE FROM customers" }],
  ["find_value", { value: "Hamburg" }],
  ["find_value", { value: "c10001@mail.example" }],
  ["find_value", { value: hostile }],
];

/** Returns the text outside of the fences. Everything inside them is data. */
function outsideOfFences(text: string): string {
  return text.replaceAll("<data-…>", "").replaceAll(/<data-([0-9a-f]{8})>.*?<\/data-\1>/gs, "");
}

async function checkAnswers(client: Client): Promise<readonly string[]> {
  expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual([...contextTools].sort());
  expect(client.getInstructions()).toContain("You can read these databases: shop, spare.");
  const answers: string[] = [];
  for (const [tool, input] of calls) answers.push(await callForText(client, tool, input));
  for (const [index, answer] of answers.entries()) {
    const call = JSON.stringify(calls[index]);
    expect(answer.length, call).toBeLessThanOrEqual(16_000); // 4,000 tokens of English words
    expect(outsideOfFences(answer), call).not.toMatch(/ignore all rules/i);
    expect(answer.replaceAll(hostile, ""), call).not.toMatch(/c1\d{4}@mail\.example|DE\d{20}|importer-\d\.example/);
  }
  return answers;
}

test("bridle mcp serves the databases of a project on both transports: each tool within its budget, fenced, and without sensitive values", async () => {
  const { client } = await connectToCommand(place);
  const onStdio = await checkAnswers(client);
  expect(onStdio[0]).toContain("shop.main.orders");
  expect(onStdio[8]).toContain("cust_no");
  expect(onStdio[12]).toMatch(/only|refused|not/i);
  expect(onStdio[13]).toContain("shop.main.addresses.city");
  const token = "t".repeat(40);
  const url = await listenWithTokens(place, [{ name: "ada", token }]);
  await checkAnswers(await connectOverHttp(url, token));
});

test("two tokens with different scopes get different answers of every tool", async () => {
  const [buyer, catalog] = ["b".repeat(40), "c".repeat(40)];
  const url = await listenWithTokens(place, [
    { name: "buyer", token: buyer, scope: { connections: ["shop"], exclude: ["main.products", "main.categories"] } },
    { name: "catalog", token: catalog, scope: { connections: ["spare"], include: ["main.products"] } },
  ]);
  const [first, second] = [await connectOverHttp(url, buyer), await connectOverHttp(url, catalog)];
  expect(first.getInstructions()).toContain("these databases: shop.");
  expect(second.getInstructions()).toContain("these databases: spare.");
  const both = async (tool: string, input: Record<string, string>) =>
    [await callForText(first, tool, input), await callForText(second, tool, input)] as const;

  const [foundFirst, foundSecond] = await both("search_context", { query: "products orders customers" });
  expect(foundFirst).toContain("shop.main.orders");
  expect(foundFirst).not.toContain("main.products");
  expect(foundSecond).toContain("spare.main.products");
  expect(foundSecond).not.toMatch(/main\.(orders|customers)/);

  const [listedFirst, listedSecond] = await both("describe", {});
  expect(listedFirst).not.toMatch(/spare|main\.products/);
  expect(listedSecond.match(/\w+\.main\.\w+/g)).toEqual(["spare.main.products"]);
  const [shownFirst, shownSecond] = await both("describe", { name: "orders" });
  expect(shownFirst).toContain("placed_at");
  expect(shownSecond).not.toContain("placed_at");

  const [rowsFirst, rowsSecond] = await both("run_sql", { statement: "SELECT count(*) AS items FROM products" });
  expect(rowsFirst).toContain("outside of the scope");
  expect(rowsSecond).toMatch(/\| items \|.*\| 12 \|/s);
  const other = { connection: "spare", statement: "SELECT count(*) AS items FROM orders" };
  const [otherFirst, otherSecond] = await both("run_sql", other);
  expect(otherFirst).not.toContain("| 900 |");
  expect(otherSecond).toContain("outside of the scope");

  const [valueFirst, valueSecond] = await both("find_value", { value: "French press" });
  expect(valueFirst).not.toContain("main.products");
  expect(valueSecond).toContain("spare.main.products.title");
});

test.each([
  ["a connection that is not there", { connections: ["shpo"] }, 'Did you mean "shop"?'],
  ["an unknown key", { schemas: ["main"] }, "schemas"],
  ["a pattern that is none", { include: ["a.b.c.d"] }, "has to be a pattern"],
  ["no object", null, "The scope of the token sales is wrong"],
])("a token whose scope has %s is refused before the server listens", async (_title, scope, sentence) => {
  const content = { tokens: [{ name: "sales", token: "s".repeat(40), scope }] };
  await writeFile(join(place.project, "tokens.json"), JSON.stringify(content), { mode: 0o600 });
  const command = startCommand(["mcp", "--http", "--token-file", "tokens.json"], place);
  expect(await command.ended).toBe(3);
  expect(command.stderr()).toContain(sentence);
});

test("an agent file comes before the databases, whose tools it may have, and --context serves all of them", async () => {
  const agent =
    "name: analyst\ninstructions: { inline: Answer. }\ntools: [{ type: context, connections: [shop], include: [main.orders] }]\n";
  await writeFile(join(place.project, "agent.yaml"), agent);
  const { client } = await connectToCommand(place);
  expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual([...contextTools].sort());
  expect(client.getInstructions()).toContain("these databases: shop.");
  expect(await callForText(client, "describe", {})).not.toContain("customers");
  const sum = { statement: "SELECT count(*) AS orders FROM orders" };
  expect(await callForText(client, "run_sql", sum)).toContain("| 900 |");
  const all = await connectToCommand(place, ["--context"]);
  expect(await callForText(all.client, "describe", {})).toContain("spare.main.customers");
});
