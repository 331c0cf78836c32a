/** Plants sensitive values of ten kinds, and searches everything that is written, sent and shown for them. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { defineScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { isSoak, sampleOf } from "../../../../tests/support/soak.ts";
import { connectOverHttp } from "../../../mcp-server/tests/client-for-tests.ts";
import { listenWithTokens } from "../mcp/context-fixture.ts";
import { connectToCommand } from "../mcp/mcp-fixture.ts";
import { createPlace, type Place, startCommand } from "../support/command.ts";
import { PlantedDatabase } from "./planted-database.ts";
import { statementsFor } from "./planted-statements.ts";
import { PlantedValues } from "./planted-values.ts";

const connections = ["shop", "lake"] as const;
let place: Place;
let planted: PlantedDatabase;
let model: Rehearsal;

beforeAll(async () => {
  place = await createPlace();
  planted = new PlantedDatabase(place.project);
  model = await startRehearsal({ script: defineScript({ rehearsal: 1, turns: [describing(), asking()] }) });
  await configure("anthropic");
  expectClean("scan", await bridle("context", "scan"));
});
afterAll(async () => {
  await model.close();
  await place.remove();
});

/** Creates a model that describes two tables without repeating any value. */
function describing() {
  const tables = ["t1", "t2"].map((table) => ({ table, description: "Rows of something.", columns: [] }));
  return { when: { user: "Describe these tables" }, steps: [{ object: { tables } }] };
}

/** Creates a model that calls all reading tools, and then runs some statements of each kind. */
function asking() {
  const call = (tool: string, input: object) => ({ call: tool, with: { ...input } });
  const seen = connections.flatMap((connection) => [
    call("search_context", { query: "people contact mail" }),
    call("describe", { name: `${connection}.main.people` }),
    call("describe", { name: `${connection}.main.notes` }),
    call("find_value", { value: "R-7 fine", table: `${connection}.main.notes` }),
    ...sampleOfStatements(connection).map((statement) => call("run_sql", { connection, statement })),
  ]);
  return { steps: [...seen, { say: "That is all." }] };
}

/** Selects every eleventh statement, so that each form and each column occurs. */
function sampleOfStatements(connection: (typeof connections)[number]): readonly string[] {
  return planted.tables.flatMap(statementsFor).filter((_, index) => index % 23 === connections.indexOf(connection) * 5);
}

async function configure(backend: "anthropic" | "claude-code"): Promise<void> {
  const auth = backend === "claude-code" ? "auth: api_key, " : "apiKey: k, ";
  const sensitive = JSON.stringify(planted.marked);
  const settings = `llm:
  provider: { backend: ${backend}, ${auth}baseUrl: "${model.url}" }
  models: { default: claude-sonnet-4-5 }
context:
  connections:
    shop: { type: sqlite, file: shop.db, sensitive: ${sensitive} }
    lake: { type: duckdb, files: data, sensitive: ${sensitive} }
`;
  await writeFile(join(place.project, "bridle.yaml"), settings);
}

async function bridle(...words: string[]): Promise<string> {
  const command = startCommand(words, place, { ANTHROPIC_API_KEY: "sk-ant-rehearsed" });
  const code = await command.ended;
  return `${words.join(" ")} (${code})\n${command.stdout()}\n${command.stderr()}`;
}

function expectClean(where: string, text: string): void {
  expect({ where, found: planted.values.findIn(text) }).toEqual({ where, found: [] });
}

/** Reads every file under a folder, except for the databases themselves. Compressed files are unpacked. */
async function filesUnder(folder: string): Promise<readonly (readonly [path: string, text: string])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const own = files.filter(
    (path) => !path.startsWith(join(place.project, "data/")) && path !== join(place.project, "shop.db"),
  );
  return Promise.all(
    own.map(async (path) => {
      const bytes = await readFile(path);
      return [path, (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1")] as const;
    }),
  );
}

/** Returns the messages that were sent, each once, because every request repeats the previous ones. */
function partsOf({ requests }: Rehearsal): ReadonlySet<string> {
  const bodies = requests.map(({ body }) =>
    z.looseObject({ messages: z.array(z.unknown()).default([]) }).parse(body ?? {}),
  );
  return new Set(bodies.flatMap(({ messages, ...rest }) => [...messages, rest].map((part) => JSON.stringify(part))));
}

async function expectCleanFiles(): Promise<void> {
  const files = [...(await filesUnder(place.project)), ...(await filesUnder(place.home))];
  expect(files.some(([path]) => path.endsWith("facts.sqlite"))).toBe(true);
  for (const [path, text] of files) expectClean(path, text);
}

async function callAll(
  client: Client,
  calls: readonly (readonly [string, Record<string, unknown>])[],
): Promise<string> {
  const answers: string[] = [];
  for (const [name, input] of calls)
    answers.push(JSON.stringify([name, input, await client.callTool({ name, arguments: input })]));
  return answers.join("\n");
}

test("the search finds a planted value again, in parts and in other spellings", () => {
  const value = planted.values.add("qxzjvkwp@hgzqj.wzxk", "self");
  for (const text of [value, value.slice(3, 12), value.toUpperCase(), Buffer.from(value).toString("hex"), btoa(value)])
    expect(planted.values.findIn(`x${text}x`.replaceAll(/^x(?=cX)/g, ""))).not.toEqual([]);
  expect(planted.values.findIn("nothing of it, 4111 1111")).toEqual([]);
  expect(planted.values.count).toBeGreaterThan(5_000);
});

test("the search takes no digest for a number whose digits it begins or ends with", () => {
  const values = new PlantedValues();
  values.add("+49 123 24736911", "phone");
  const digests = ["24736911a8f09c3de5dbaee265db95a9", "2473691f0", "0098ed49de5dbaee265db95a12324736"];
  for (const digest of digests) expect(values.findIn(`| ${digest} | 3 |`)).toEqual([]);
  for (const part of [" 24736911 ", " 2473691", "123 24736911", "23 24736911ab", "49 123 2", "+4912324"])
    expect(values.findIn(`|${part}|`)).not.toEqual([]);
});

test("no planted value is in the facts, or in what the commands about them print", async () => {
  for (const [at, { name }] of planted.tables.entries()) {
    if (isSoak || at % 2 === 0) expectClean(name, await bridle("context", "show", `shop.main.${name}`));
    if (isSoak || at % 2 === 1)
      expectClean(`${name} as JSON`, await bridle("context", "show", `lake.main.${name}`, "--json"));
  }
  for (const words of [
    ["status"],
    ["joins"],
    ["joins", "--json"],
    ["drift"],
    ["changes"],
    ["search", "mail contact"],
    ["search", "mail", "--json"],
  ])
    expectClean(words.join(" "), await bridle("context", ...words));
  await expectCleanFiles();
});

test.each(["anthropic", "claude-code"] as const)(
  "no planted value reaches the model of %s, the event log or a bundle, with descriptions and questions",
  async (backend) => {
    await configure(backend);
    expectClean("descriptions", await bridle("context", "scan", "--describe", "--json"));
    const asked = await bridle("ask", "--steps", "400", "What is in these tables?", "--json");
    expect(asked).toContain("That is all.");
    expectClean("the answer", asked);
    expect(model.requests.length).toBeGreaterThan(20);
    for (const part of partsOf(model)) expectClean("a request", part);
    expectClean("events", await bridle("events", "--json"));
    expectClean("the bundle", await bridle("bundle", "--artifacts", "--force", "--out", "run.tar.gz"));
    await expectCleanFiles();
    model.reset();
  },
);

test("no planted value is in an answer of the MCP server, whatever a client asks", async () => {
  const { client, stderr } = await connectToCommand(place);
  for (const { name } of planted.tables) {
    const calls = connections.flatMap((connection) => [
      ["describe", { name: `${connection}.main.${name}` }] as const,
      ["find_value", { value: "R-7 fine", table: `${connection}.main.${name}` }] as const,
      ["search_context", { query: `${name} note mail payload` }] as const,
    ]);
    expectClean(name, await callAll(client, calls));
    for (const connection of connections)
      for (const statement of statementsOfTurn(name, connection))
        expectClean(`${connection}: ${statement}`, await callAll(client, [["run_sql", { connection, statement }]]));
  }
  expectClean("standard error", stderr());
  const token = "t".repeat(40);
  const overHttp = await connectOverHttp(await listenWithTokens(place, [{ name: "ada", token }]), token);
  const some = connections.flatMap((connection) =>
    sampleOfStatements(connection).map((statement) => ["run_sql", { connection, statement }] as const),
  );
  expectClean("over HTTP", await callAll(overHttp, some));
  await expectCleanFiles();
});

/** Returns all statements in `npm run soak`, and every fourth in `npm test`, so that each form occurs with some column of some table. */
function statementsOfTurn(name: string, connection: (typeof connections)[number]): readonly string[] {
  const turn = planted.tables.findIndex((table) => table.name === name) + connections.indexOf(connection) * 2;
  const all = statementsFor({ name, columns: columnsOf(name) });
  return all.filter((_, index) => isSoak || index % 4 === turn % 4);
}

function columnsOf(table: string): readonly string[] {
  return planted.tables.find(({ name }) => name === table)?.columns ?? [];
}

test.each([[], ["--csv"], ["--json"]])("no planted value is in what bridle sql prints with %j", async (...format) => {
  for (const connection of connections) {
    for (const table of sampleOf(["people", "documents", "notes"], 2)) {
      const statement = `SELECT * FROM ${table} ORDER BY id DESC LIMIT 1000`;
      expectClean(`${connection}.${table}`, await bridle("sql", connection, statement, ...format));
    }
  }
  expectClean(
    "an error",
    await bridle("sql", "lake", "SELECT CAST(c_0 AS INTEGER) FROM codes WHERE id = 4000", ...format),
  );
});
