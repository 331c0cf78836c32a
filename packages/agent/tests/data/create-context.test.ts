import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@bridle/core";
import { createContext } from "@bridle/data";
import { createRuntime, type RehearsedModel, type RehearsedRequest } from "@bridle/project";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { playAgent } from "../play-agent.ts";

let projectDir: string;
beforeEach(() => {
  projectDir = mkdtempSync(join(tmpdir(), "bridle-agent-context-"));
  const database = openDatabase(join(projectDir, "shop.db"));
  database.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, city TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), total NUMERIC);
    CREATE TABLE salaries (id INTEGER PRIMARY KEY, amount INTEGER);
    INSERT INTO customers VALUES (1, 'ann@example.com', 'Berlin'), (2, 'bob@example.com', 'Athens');
    INSERT INTO orders VALUES (1, 1, 10), (2, 1, 20), (3, 2, 7);`);
  database.close();
  put("bridle.yaml", "context:\n  connections:\n    shop: { type: sqlite, file: shop.db, exclude: [main.salaries] }\n");
});
afterEach(() => rmSync(projectDir, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(projectDir, name), text);

test("no method of a data context drops an option that it does not know", async () => {
  const context = await createContext({ projectDir });
  const wrong = JSON.parse('{ "scoep": { "exclude": ["main.salaries"] }, "by": "Ann" }');
  const sql = 'sql: unknown key "scoep". Did you mean "scope"?';
  const tail = /: unknown key "scoep"/;
  try {
    await expect(context.sql("shop", "SELECT 1", JSON.parse('{ "scoep": {} }'))).rejects.toThrow(sql);
    await expect(context.sql("shop", "SELECT 1", JSON.parse('{ "scope": { "exclud": [] } }'))).rejects.toThrow(
      'unknown key "exclud" in scope. Did you mean "exclude"?',
    );
    const { metrics, wiki, joins, files } = context;
    const calls = [
      () => context.scan("shop", wrong),
      () => context.search("orders", wrong),
      () => context.describe("shop.main.orders", wrong),
      () => context.tools(wrong),
      () => context.writeDescriptions(() => Promise.reject(), wrong),
      () => context.ingest(wrong),
      () => context.remember("Orders are final.", wrong),
      () => metrics.query({ measures: ["orders.count"] }, wrong),
      () => metrics.list(wrong),
      () => metrics.check(wrong),
      () => metrics.checkFiles([], wrong),
      () => metrics.propose(wrong),
      () => wiki.list(wrong),
      () => wiki.find("orders", wrong),
      () => joins.propose(wrong),
      () => files.changes(wrong),
    ];
    for (const call of calls) await expect((async () => call())(), String(call)).rejects.toThrow(tail);
  } finally {
    await context.close();
  }
});

test("a program scans, searches, describes, changes and reads a database of bridle.yaml", async () => {
  const context = await createContext({ projectDir });
  try {
    expect(await context.scan("shop")).toMatchObject({ tables: 2, problems: [] });
    expect((await context.search("orders of customers", { kinds: ["table"] })).map(({ id }) => id)).toContain(
      "shop.main.orders",
    );
    const changed = await context.files.change(
      { kind: "description", subject: "shop.main.orders", text: "One row for each order." },
      { source: "model", name: "analyst", reason: "The values say so." },
    );
    expect(changed).toMatchObject({ isApplied: true, file: "context/tables/shop/main.yaml" });
    expect(context.describe("shop.main.orders")).toMatchObject({
      table: { description: { text: "One row for each order.", source: "model" } },
      joins: expect.arrayContaining([expect.objectContaining({ origin: "declared", status: "accepted" })]),
    });
    expect(context.files.changes()).toMatchObject([{ author: "analyst", reason: "The values say so." }]);
    expect((await context.sql("shop", "SELECT sum(total) FROM orders")).rows).toEqual([[37n]]);
    await expect(context.sql("shop", "SELECT * FROM salaries")).rejects.toThrow("outside of the scope");
    await expect(context.sql("shopp", "SELECT 1")).rejects.toThrow(
      'There is no connection "shopp". Did you mean "shop"?',
    );
    expect(context.describe("shop.main.orders", { scope: { exclude: ["main.orders"] } })).toBeUndefined();
  } finally {
    await context.close();
  }
});

test("patterns that match nothing cause one warning, when a question uses the connection, and not when it is scanned", async () => {
  put(
    "bridle.yaml",
    "context:\n  connections:\n    shop: { type: sqlite, file: shop.db, exclude: [main.salary], sensitive: [main.customers.mail] }\n",
  );
  const warn = vi.fn();
  const logger = { debug() {}, info() {}, warn, error() {} };
  const context = await createContext({ projectDir, logger });
  try {
    await context.scan("shop");
    expect(warn).not.toHaveBeenCalled();
    await context.sql("shop", "SELECT 1");
    await context.sql("shop", "SELECT 2");
    const words = (pattern: string) =>
      `No name of the connection shop matches "${pattern}", so it has no effect. Correct or remove it in bridle.yaml.`;
    expect(warn.mock.calls.map(([, message]) => message)).toEqual([
      words("exclude: main.salary"),
      words("sensitive: main.customers.mail"),
    ]);
  } finally {
    await context.close();
  }
});

test("a program ingests a folder with a model in code, learns why something is known, and asks nothing twice", async () => {
  mkdirSync(join(projectDir, "docs"));
  put("docs/cities.md", "# Cities\n\nThe city of a customer is the one of the last delivery.\n");
  const statement = "The city of a customer is the one of the last delivery.";
  const candidate = {
    passage: "p1",
    statement,
    quote: statement,
    subject: "city",
    topic: "customers",
    category: "definition",
    tables: ["customers"],
    durability: 1,
    authority: 1,
    reuse: 1,
    novelty: 1,
    risk: 0,
  };
  let calls = 0;
  const rehearse: RehearsedModel = ({ system }) => {
    calls += 1;
    const passages = [{ passage: "p1", decision: "light", reason: "It has facts." }];
    if (system.includes("You sort passages")) return { object: { passages, instructions: [] } };
    return system.includes("You copy facts") ? { object: { candidates: [candidate] } } : { object: { answers: [] } };
  };
  const runtime = await createRuntime({ projectDir, backend: "anthropic", rehearse });
  const context = await createContext({ projectDir, model: "claude-sonnet-5-5" });
  try {
    await context.scan("shop");
    const stages: string[] = [];
    const onProgress = ({ stage }: { readonly stage: string }) => stages.push(stage);
    const planned = await context.ingest({ sources: ["docs"], runtime, dryRun: true, onProgress });
    expect(planned.report).toMatchObject({ state: "planned", ended: "complete" });
    expect(planned.files).toMatchObject([{ file: "context/wiki/customers.md", before: undefined }]);
    expect(stages).toEqual(expect.arrayContaining(["fetch", "triage", "light", "apply"]));
    const asked = calls;
    const { report } = await context.ingest({ sources: ["docs"], runtime });
    expect(report).toMatchObject({ state: "applied", added: [{ text: expect.stringContaining(statement) }] });
    expect(calls).toBe(asked);
    expect(context.wiki.list()).toMatchObject([{ slug: "customers" }]);
    const why = await context.why("shop.main.customers");
    expect(why.claims[0]?.sources).toMatchObject([
      { source: "./docs", item: "cities.md", quote: statement, state: "stored" },
    ]);
    const other = await createRuntime({
      projectDir,
      backend: "anthropic",
      rehearse: (request: RehearsedRequest) => rehearse(request),
    });
    await context.ingest({ sources: ["docs"], runtime: other }).finally(() => other.close());
    expect(calls, "another script is asked again").toBe(2 * asked);
  } finally {
    await context.close();
    await runtime.close();
  }
});

const play = (entry: string, script = "rehearsal: 1\nturns: [{ steps: [{ say: hello }] }]\n") =>
  playAgent({
    folder: projectDir,
    files: {
      "agent.yaml": `name: analyst\ninstructions: { inline: Answer questions. }\ntools:\n  - ${entry}\n`,
      "script.yaml": script,
    },
  });

test("an agent file gives its agent the tools over the databases of the project, within the agent's own scope", async () => {
  const script = `rehearsal: 1
turns:
- steps:
  - { call: run_sql, with: { statement: "SELECT sum(total) AS revenue FROM orders" } }
  - { call: run_sql, with: { statement: "SELECT city FROM customers" } }
  - say: The revenue is 37.
`;
  const { events, result } = await play("{ type: context, connections: [shop], exclude: [main.customers] }", script);
  expect(result).toMatchObject({ text: "The revenue is 37." });
  const [first, second] = events.filter((event) => event.type === "tool.finished");
  expect(JSON.stringify(first)).toContain("| revenue |");
  expect(JSON.stringify(second)).toContain("outside of the scope");
});

test.each([
  ["{ type: context, connections: [shpo] }", 'There is no connection \\"shpo\\" in bridle.yaml.'],
  ["{ type: context, connection: shop }", 'unknown key \\"connection\\". Did you mean \\"connections\\"?'],
  ["{ type: context, reply_tokens: 5 }", "reply_tokens"],
])("the entry %s is refused with the remedy", async (entry, message) => {
  const error = await play(entry).catch((thrown: unknown) => String(thrown));
  expect(JSON.stringify(error)).toContain(message);
});

test("a project without databases says where to add one", async () => {
  put("bridle.yaml", "{}\n");
  await expect(play("{ type: context }")).rejects.toThrow("Add one under context.connections in bridle.yaml.");
});

test("the search of a context uses the embedder of the project, and none if the caller wants none", async () => {
  const connections = "context: { connections: { shop: { type: sqlite, file: shop.db } } }\n";
  put("bridle.yaml", `embeddings: { backend: openai, model: small, apiKey: unused }\n${connections}`);
  const vectors = join(projectDir, ".bridle/context/vectors.sqlite");
  const byWords = await createContext({ projectDir, isRehearsed: true, embedder: "none" });
  await byWords.scan("shop");
  expect(await byWords.search("orders")).not.toEqual([]);
  await byWords.close();
  expect(existsSync(vectors)).toBe(false);

  const context = await createContext({ projectDir, isRehearsed: true });
  try {
    await context.search("orders");
    await vi.waitFor(() => expect(countVectors(vectors)).toBeGreaterThan(0), { timeout: 60_000, interval: 50 });
  } finally {
    await context.close();
  }
});

function countVectors(file: string): unknown {
  const database = openDatabase(file);
  try {
    return database.prepare("SELECT count(*) AS vectors FROM vectors").get()?.vectors;
  } finally {
    database.close();
  }
}
