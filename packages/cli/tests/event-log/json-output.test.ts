/** Tests that the JSON output has exactly the documented keys. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { agentDescriptionSchema } from "@bridle/agent";
import { agentCheckSchema } from "@bridle/app/agents";
import { answeredSchema, approvalListSchema } from "@bridle/app/approvals";
import { documentsStatusSchema, foundDocumentsSchema, indexedDocumentsSchema } from "@bridle/app/documents";
import { agentImportSchema, agentSurveySchema } from "@bridle/app/imports";
import { ingestedContextSchema } from "@bridle/app/ingest";
import { initSchema } from "@bridle/app/init";
import {
  explainedKeySchema,
  forgottenFactsSchema,
  foundPagesSchema,
  lintedWikiSchema,
  listedContradictionsSchema,
  listedMemorySchema,
  listedPagesSchema,
  rememberedTextSchema,
  settledContradictionSchema,
  shownPageSchema,
} from "@bridle/app/knowledge";
import {
  exportedMetricsSchema,
  importedMetricsSchema,
  listedMetricsSchema,
  metricAnswerSchema,
  proposedMetricsSchema,
  shownModelSchema,
  validatedMetricsSchema,
} from "@bridle/app/metrics";
import { permissionListSchema } from "@bridle/app/permissions";
import { checkedQuestionsSchema } from "@bridle/app/questions";
import { serverStatusSchema } from "@bridle/app/serving";
import { sessionListSchema, sessionViewSchema } from "@bridle/app/sessions";
import {
  answeredQuestionSchema,
  contextInitSchema,
  contextStatusSchema,
  decidedJoinSchema,
  foundKnowledgeSchema,
  listedChangesSchema,
  listedDriftSchema,
  listedJoinsSchema,
  proposedJoinsSchema,
  scannedContextSchema,
  shownTableSchema,
  sqlResultSchema,
} from "@bridle/app/warehouses";
import { appendEvents, createMemoryBackend, type ScriptedModel } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import { doctorSchema, modelsSchema, statusSchema } from "@bridle/project";
import { runResultSchema } from "@bridle/protocol";
import { newTokenSchema, servingInfoSchema } from "@bridle/server";
import { openStore } from "@bridle/store-sqlite";
import { comparisonSchema, testRunHeadlineSchema } from "@bridle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { runCli } from "../../src/command/cli-for-tests.ts";

const document = await readFile(join(import.meta.dirname, "../../../../docs/reference/json-output.md"), "utf8");

let cwd = "";
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-json-"));
  await writeFile(
    join(cwd, "bridle.yaml"),
    `llm:
  provider: { backend: openai, apiKey: "\${KEY}" }
  models: { default: gpt-6-sol }
  promptCaching: { toolsTtl: 1h }
`,
  );
  await writeSession();
  const answer = "- { tool: send, decision: allow, by: ada, at: 2026-10-24T10:00:00.000Z }\n";
  await mkdir(join(cwd, ".config/bridle"), { recursive: true });
  await writeFile(join(cwd, ".config/bridle/permissions.yaml"), answer);
  const cases = "test_cases: [{ input: Hi, evaluations: [{ type: standard, metric: contains, value: Hello }] }]";
  await writeFile(join(cwd, "tested.yaml"), `name: tested\ninstructions: { inline: Help. }\n${cases}\n`);
  await testAgent([{ steps: [{ say: "Hello." }] }]);
  await testAgent([{ steps: [{ say: "No." }] }]);
  const tools = "tools: [{ type: documents, name: notes, source: order.json }]";
  await writeFile(join(cwd, "desk.yaml"), `name: desk\ninstructions: { inline: Help. }\n${tools}\n`);
  const shop = new DatabaseSync(join(cwd, "shop.db"));
  shop.exec("CREATE TABLE buyers (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO buyers VALUES (1, 'Ada')");
  shop.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, buyer INTEGER REFERENCES buyers)");
  shop.exec("INSERT INTO orders VALUES (1, 1)");
  shop.close();
  await mkdir(join(cwd, "context/models"), { recursive: true });
  const model = "name: orders\ntable: orders\nprimary_key: [id]\nmeasures: [{ name: count, agg: count }]\n";
  await writeFile(join(cwd, "context/models/orders.yaml"), model);
  await mkdir(join(cwd, "context/wiki"));
  await writeFile(
    join(cwd, "context/wiki/orders.md"),
    "---\nsources: [{ source: a, item: b }]\n---\nAn order. [1] [2]\n",
  );
  await writeFile(
    join(cwd, "questions.yaml"),
    "questions: [{ question: Orders?, sql: SELECT count(*) FROM orders }]\n",
  );
  const imported =
    "semantic_models: [{ name: buyers, model: ref('buyers'), dimensions: [{ name: none, type: categorical }] }]";
  await writeFile(join(cwd, "dbt.yml"), imported);
  await writeFile(join(cwd, "order.json"), '{ "type": "object", "properties": { "id": { "type": "string" } } }');
});
afterAll(() => rm(cwd, { recursive: true }));

/** Writes results of tests to disk. */
async function testAgent(model: ScriptedModel): Promise<void> {
  await runCli(["test", "tested.yaml", "--project-dir", cwd], { cwd, model, environment: { HOME: cwd, KEY: "k" } });
}

/** Stores a session on disk: a run that asked the user and called a tool. */
async function writeSession(): Promise<void> {
  const record = openStore({ folder: join(cwd, ".bridle") });
  const calling: ScriptedModel = [{ steps: [{ calls: [{ tool: "missing", input: {} }] }, { say: "Done." }] }];
  const runtime = createAgentRuntime({
    backend: createMemoryBackend(calling),
    models: { default: "m" },
    eventLog: record,
  });
  const session = await runtime.openSession({ id: "s", tools: [], stepBudget: 2, labels: { a: "b" } });
  const { id: runId, result } = await session.send("Hi");
  await result;
  await runtime.close();
  const asked = { callId: "c", attempt: 1, tool: "t", input: {}, inputHash: "h", builtin: false, rule: "r" };
  const question = { type: "approval.requested", approvalId: "a", everyTime: false, ...asked } as const;
  await appendEvents(record, { runId, sessionId: "s" }, question);
  record.close();
}

const schemas = {
  run: runResultSchema.extend({ sessionId: z.string().optional() }),
  init: initSchema,
  "sessions list": sessionListSchema,
  "sessions show": sessionViewSchema,
  status: statusSchema,
  models: modelsSchema,
  "approvals list": approvalListSchema,
  "approvals answer": answeredSchema,
  "test history": z.strictObject({ runs: z.array(testRunHeadlineSchema) }),
  "test compare": comparisonSchema,
  "permissions list": permissionListSchema,
  "agent validate": agentCheckSchema,
  "agent import holodeck FILE": agentImportSchema,
  "agent import holodeck FOLDER": agentSurveySchema,
  "agent show": agentDescriptionSchema,
  "documents index": indexedDocumentsSchema,
  "documents search": foundDocumentsSchema,
  "documents status": documentsStatusSchema,
  "context init": contextInitSchema,
  "context scan": scannedContextSchema,
  "context ingest": ingestedContextSchema,
  "context status": contextStatusSchema,
  "context show": shownTableSchema,
  "context joins": listedJoinsSchema,
  "context joins accept": decidedJoinSchema,
  "context joins propose": proposedJoinsSchema,
  "context drift": listedDriftSchema,
  "context changes": listedChangesSchema,
  "context search": foundKnowledgeSchema,
  "context eval --check": checkedQuestionsSchema,
  "context wiki list": listedPagesSchema,
  "context wiki read": shownPageSchema,
  "context wiki search": foundPagesSchema,
  "context wiki lint": lintedWikiSchema,
  "context why": explainedKeySchema,
  "context review": listedContradictionsSchema,
  "context review choose": settledContradictionSchema,
  "context remember": rememberedTextSchema,
  "memory list": listedMemorySchema,
  "memory show": listedMemorySchema.shape.facts.unwrap().element,
  "memory forget": forgottenFactsSchema,
  "metrics list": listedMetricsSchema,
  "metrics show": shownModelSchema,
  "metrics propose": proposedMetricsSchema,
  "metrics validate": validatedMetricsSchema,
  "metrics import": importedMetricsSchema,
  "metrics export": exportedMetricsSchema,
  query: metricAnswerSchema,
  sql: sqlResultSchema,
  ask: answeredQuestionSchema.extend({ run: z.unknown() }),
  serve: servingInfoSchema,
  "serve --status": serverStatusSchema,
  "serve --new-token": newTokenSchema,
  doctor: doctorSchema,
};
type Command = keyof typeof schemas;
const commands = Object.keys(schemas) as Command[];

/** Returns the keys in a command's table, such as `models[].role`; `?` follows a key that may be missing. */
function documented(command: Command): string[] {
  const section = document.split(/^## /m).find((text) => text.startsWith(`\`bridle ${command} --json\``)) ?? "";
  return [...section.matchAll(/^\| `(\S+)` \|/gm)].map(([, key = ""]) => key);
}

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

function keysOf({ properties = {}, required = [], items, anyOf = [] }: Node, path = ""): string[] {
  const own = Object.entries(properties).flatMap(([key, node]) => [
    `${path}${key}${required.includes(key) ? "" : "?"}`,
    ...keysOf(node, `${path}${key}.`),
  ]);
  const ofItems = items ? keysOf(items, `${path.slice(0, -1)}[].`) : [];
  return [...own, ...ofItems, ...anyOf.flatMap((node) => keysOf(node, path))];
}

test.each(commands)("the reference lists every key of the JSON of bridle %s, in order", (command) => {
  expect(documented(command)).toEqual(keysOf(z.toJSONSchema(schemas[command]) as Node));
});

/** Lists the keys of values with documented keys. Other objects, such as an answer, may have any keys. */
function printedKeys(value: unknown, known: readonly string[], path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => printedKeys(each, known, `${path.slice(0, -1)}[].`));
  if (typeof value !== "object" || value === null || !known.some((key) => key.startsWith(path))) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    `${path}${key}`,
    ...printedKeys(each, known, `${path}${key}.`),
  ]);
}

const hello: ScriptedModel = [{ steps: [{ say: "Hello.", object: { id: "A-1" } }] }];
const failing: ScriptedModel = [{ steps: [{ fail: "overloaded" }] }];
const calls: [Command, string[], ScriptedModel][] = [
  ["run", ["Hi"], hello],
  ["run", ["--schema", "order.json", "Hi"], hello],
  ["run", ["Hi"], failing],
  ["run", ["--session", "s", "Hi"], hello],
  ["init", ["desk"], hello],
  ["init", ["other", "--provider", "anthropic"], hello],
  ["sessions list", [], []],
  ["sessions show", ["s"], []],
  ["status", [], []],
  ["models", [], []],
  ["approvals list", [], []],
  ["approvals answer", ["a", "deny"], []],
  ["approvals answer", ["a", "allow"], []],
  ["permissions list", [], []],
  ["agent validate", ["desk.yaml"], []],
  ["agent validate", ["order.json"], []],
  ["agent show", ["desk.yaml"], []],
  ["test history", [], []],
  ["test compare", [], []],
  ["documents status", ["desk.yaml"], []],
  ["documents index", ["desk.yaml"], []],
  ["documents search", ["order", "desk.yaml"], []],
  ["documents status", ["desk.yaml"], []],
  ["context init", ["--yes"], []],
  ["context status", [], []],
  ["context scan", [], []],
  ["context status", [], []],
  ["context show", ["orders"], []],
  ["context joins", [], []],
  ["context joins propose", ["--dry-run"], [{ steps: [{ object: { joins: [] } }] }]],
  ["context drift", [], []],
  ["context search", ["orders"], []],
  ["context changes", [], []],
  ["context eval --check", ["questions.yaml"], []],
  ["context wiki list", [], []],
  ["context wiki read", ["orders"], []],
  ["context wiki search", ["orders"], []],
  ["context wiki lint", [], []],
  ["context remember", ["--verbatim", "An order is paid."], []],
  ["memory list", [], []],
  ["metrics list", [], []],
  ["metrics show", ["orders"], []],
  ["metrics propose", ["--dry-run"], []],
  ["metrics validate", [], []],
  ["metrics import", ["dbt.yml", "--dry-run"], []],
  ["metrics export", ["--to", "osi"], []],
  ["query", ["orders.count", "--totals"], []],
  ["sql", ["shop", "SELECT id FROM orders"], []],
  ["serve --status", [], []],
  ["serve --new-token", [], []],
  ["doctor", [], []],
];

test.each(calls)("bridle %s --json %j prints the documented keys", async (command, words, model) => {
  const { stdout } = await runCli([...command.split(" "), "--json", ...words], {
    cwd,
    model,
    environment: { HOME: cwd, OLLAMA_HOST: "127.0.0.1:1" },
  });
  const keys = documented(command);
  const known = keys.map((key) => key.replace("?", ""));
  const printed = new Set(printedKeys(JSON.parse(stdout), known));
  const holders = new Set(["", ...[...printed].map(holderOf)]);
  const further = [...printed].filter((key) => !known.includes(key));
  expect(further.filter((key) => holderOf(key) !== "error")).toEqual([]); // an error's keys are those of its class
  const always = keys.filter((key) => !key.endsWith("?") && holders.has(holderOf(key)));
  expect(always.length).toBeGreaterThan(0);
  expect(always.filter((key) => !printed.has(key))).toEqual([]);
});

function holderOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf(".")));
}
