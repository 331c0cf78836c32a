/** Tests pages, memory and ingest over MCP: the real command, a client of the official SDK, both transports. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Client } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { connectOverHttp } from "../../../mcp-server/tests/client-for-tests.ts";
import { createPlace, type Place, startCommand } from "../support/command.ts";
import { callForText, listenWithTokens } from "./context-fixture.ts";
import { connectToCommand, readEvents } from "./mcp-fixture.ts";

const settings = `context:
  connections: { shop: { type: sqlite, file: shop.db } }
  sources: { dbt: { type: dbt, path: dbt } }
`;
const models = `models:
  - name: orders
    description: One row for each order that was paid.
    columns: [{ name: total, description: "In euro, without deposits." }]
`;
const page = "---\ntitle: Orders\ntables: [shop.main.orders]\n---\n\nAn order counts when it is paid.\n";

/** Creates a project with a scanned table, a page about it, and a dbt project that describes it. */
async function createProject(): Promise<Place> {
  const place = await createPlace();
  onTestFinished(place.remove);
  new DatabaseSync(join(place.project, "shop.db")).exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL)");
  for (const folder of ["context/wiki", "dbt/models"]) await mkdir(join(place.project, folder), { recursive: true });
  await writeFile(join(place.project, "context/wiki/orders.md"), page);
  await writeFile(join(place.project, "dbt/dbt_project.yml"), "name: shop\nversion: 1.0.0\nprofile: shop\n");
  await writeFile(join(place.project, "dbt/models/orders.yml"), `version: 2\n${models}`);
  await writeFile(join(place.project, "dbt/models/orders.sql"), "select * from raw_orders\n");
  await writeFile(join(place.project, "bridle.yaml"), settings);
  const scan = startCommand(["context", "scan"], place);
  if ((await scan.ended) !== 0) throw new Error(scan.stderr());
  return place;
}

const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();
const reading = ["describe", "find_value", "ingest_status", "read_page", "run_sql", "search_context"];
const tables = (place: Place) => readFile(join(place.project, "context/tables/shop/main.yaml"), "utf8");

test("pages are read and the state of an ingest is shown to every client, and nothing is written without --allow-writes", async () => {
  const place = await createProject();
  const { client, stderr } = await connectToCommand(place);
  expect(await names(client)).toEqual(reading);
  expect(await callForText(client, "read_page", { page: "orders" })).toContain("An order counts when it is paid.");
  expect(await callForText(client, "ingest_status", {})).toBe("Nothing has been ingested yet.");
  for (const [name, input] of [
    ["remember", { text: "A pass costs 29 euro." }],
    ["ingest_start", {}],
  ] as const)
    expect(await client.callTool({ name, arguments: input })).toMatchObject({ isError: true });
  expect(stderr()).toContain("Left out, because they may change something: remember, ingest_start.");
  const [all, some] = ["a".repeat(40), "s".repeat(40)];
  const url = await listenWithTokens(place, [
    { name: "all", token: all },
    { name: "some", token: some, scope: { exclude: ["main.orders"] } },
  ]);
  expect(await names(await connectOverHttp(url, all))).toEqual(reading);
  const scoped = await connectOverHttp(url, some);
  expect(await names(scoped)).not.toContain("ingest_status");
  expect(await callForText(scoped, "read_page", { page: "orders" })).toContain(
    "There is no such page that you may see.",
  );
});

test("with --allow-writes a client remembers, and what it says passes the gates and the rules", async () => {
  const place = await createProject();
  const { client } = await connectToCommand(place, ["--allow-writes"]);
  expect(await names(client)).toEqual(["ingest_start", "remember", ...reading].sort());
  const text = "Revenue never includes deposits.";
  expect(await callForText(client, "remember", { text, since: "2026-03-01" })).toMatch(/^Remembered as [0-9a-f]{8}\./);
  expect(await callForText(client, "remember", { text })).toMatch(/^This is remembered already/);
  const secret = { text: "The key is sk_live_51HxPLANTEDa8Kq2mZ7Vb3Nc4." };
  expect(await client.callTool({ name: "remember", arguments: secret })).toMatchObject({ isError: true });
  const memory = await readFile(join(place.project, "context/memory.yaml"), "utf8");
  expect(memory).toContain("by: a person, through an MCP client\n");
  expect(memory).not.toContain("sk_live");
});

test("what its user wants remembered is no business of those who call an agent's tools over HTTP", async () => {
  const place = await createProject();
  const told = startCommand(["context", "remember", "--scope", "user", "I mean net revenue if I say revenue."], place);
  expect(await told.ended).toBe(0);
  const agent = "name: analyst\ninstructions: { inline: Help. }\ntools: [{ type: context, remember: user }]\n";
  await writeFile(join(place.project, "agent.yaml"), agent);
  const { client } = await connectToCommand(place, ["--allow-writes"]);
  expect(client.getInstructions()).toContain("net revenue");
  expect(await names(client)).toContain("remember");
  const token = "w".repeat(40);
  const url = await listenWithTokens(place, [{ name: "writer", token, writes: true }], ["--allow-writes"]);
  const other = await connectOverHttp(url, token);
  expect(other.getInstructions()).not.toContain("net revenue");
  expect(await names(other)).not.toContain("remember");
});

test("an ingest runs to its end over stdio with progress, and its state is readable afterwards", async () => {
  const place = await createProject();
  const { client } = await connectToCommand(place, ["--allow-writes"]);
  expect(await callForText(client, "ingest_start", { sources: ["dtb"] })).toContain('Did you mean "dbt"?');
  expect(await callForText(client, "ingest_start", { sources: ["/etc"] })).toContain("There is no source /etc.");
  const messages: unknown[] = [];
  const started = await client.callTool(
    { name: "ingest_start", arguments: { wait_seconds: 60 } },
    { onprogress: ({ message }) => messages.push(message) },
  );
  expect(JSON.stringify(started)).toContain("The ingest has ended.");
  expect(messages.join("\n")).toMatch(/apply: \d+ of \d+, 0 calls, 0 tokens/);
  expect(await tables(place)).toContain("In euro, without deposits.");
  expect(await callForText(client, "ingest_status", {})).toContain("context/tables/shop/main.yaml (new)");
  await client.close();
  const events = await readEvents(place);
  expect(events.filter(({ tool }) => tool === "ingest_start").length).toBeGreaterThan(0);
});

test("an ingest that was started over HTTP ends although its client has left, and another client reads its state", async () => {
  const place = await createProject();
  const token = "w".repeat(40);
  const url = await listenWithTokens(place, [{ name: "writer", token, writes: true }], ["--allow-writes"]);
  const first = await connectOverHttp(url, token);
  expect(await callForText(first, "ingest_start", {})).toMatch(/The ingest (is running|has ended)\./);
  await first.close();
  const second = await connectOverHttp(url, token);
  expect(await callForText(second, "ingest_status", { wait_seconds: 60 })).toContain("The ingest has ended.");
  expect(await tables(place)).toContain("In euro, without deposits.");
});
