import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@bridle/core";
import { createRuntime } from "@bridle/project";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestCli, type TestOptions } from "../../src/command/cli-for-tests.ts";
import { ReadingModel } from "./reading-model.ts";

const fares = `# Fares

The gross fare is the amount that a passenger pays with the harbour tax.

The net fare is the gross fare without the harbour tax.
`;
const seasons = `# Seasons

The summer season begins on 1 May and ends on 30 September.
`;

let cwd: string;
let model: ReadingModel;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-ingest-command-"));
  model = new ReadingModel();
  const database = openDatabase(join(cwd, "shop.db"));
  database.exec("CREATE TABLE bookings (id INTEGER PRIMARY KEY, gross_fare INTEGER)");
  database.close();
  await mkdir(join(cwd, "docs"));
  await write("docs/fares.md", fares);
  await write("docs/seasons.md", seasons);
  await configure("wiki: { type: documents, path: docs }");
});
afterEach(() => rm(cwd, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(cwd, name), text);
const configure = (sources: string, llm = "") =>
  write(
    "bridle.yaml",
    `llm: { ${llm}provider: { backend: anthropic }, models: { default: claude-sonnet-5-5 } }
context:
  connections: { shop: { type: sqlite, file: shop.db } }
  sources:
    ${sources}
`,
  );

function start(words: readonly string[], options: TestOptions = {}) {
  return createTestCli(["context", ...words], {
    cwd,
    createRuntime: (given) => createRuntime({ ...given, rehearse: model.answer }),
    ...options,
  });
}
const bridle = (words: readonly string[], options?: TestOptions) => start(words, options).run();
const report = async (...words: string[]) => {
  const { code, stdout } = await bridle(["ingest", ...words, "--json"]);
  return { code, ...JSON.parse(stdout) };
};
const callsOf = ({ stages }: { stages: readonly { calls: number }[] }) =>
  stages.reduce((sum, { calls }) => sum + calls, 0);
const pages = async () => {
  const folder = join(cwd, "context/wiki");
  const names = existsSync(folder) ? await readdir(folder) : [];
  return (await Promise.all(names.sort().map((name) => readFile(join(folder, name), "utf8")))).join("\n");
};

test("a folder becomes pages with sources, and an unchanged run asks no model and writes nothing", async () => {
  await bridle(["scan"]);
  const first = await bridle(["ingest"]);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain("wiki: 2 new\n");
  expect(first.stdout).toMatch(/^3 current facts from 2 documents: 3 added/m);
  expect(first.stdout).toMatch(/^ {2}triage: 1 call, [\d,]+ tokens, cost unknown, /m);
  expect(first.stdout).toMatch(/^ {2}written {2}context\/wiki\/\S+\.md \(new\)$/m);
  const written = await pages();
  for (const [fact] of `${fares}\n${seasons}`.matchAll(/^The .*\.$/gm)) expect(written).toContain(fact.slice(0, -1));
  expect(written).toContain("item: fares.md");

  const asked = model.asked.length;
  const again = await report();
  expect(again).toMatchObject({ code: 0, ended: "complete", added: [], changed: [], evicted: [], files: [] });
  expect(model.asked).toHaveLength(asked);
  expect(await pages()).toBe(written);
});

test("answers of a rehearsal are not taken for those of the model, or of another script", async () => {
  await write("script.yaml", "rehearsal: 1\nturns: []\n");
  const rehearsed = await report("--rehearse", "script.yaml");
  expect(rehearsed.code).toBe(0);
  expect(callsOf(await report("--rehearse", "script.yaml"))).toBe(0);
  await write("script.yaml", "rehearsal: 1\n# another one\nturns: []\n");
  expect(callsOf(await report("--rehearse", "script.yaml"))).toBe(callsOf(rehearsed));
  expect(callsOf(await report())).toBe(callsOf(rehearsed));
});

test("a changed document is asked about alone, and what it does not say any more is removed", async () => {
  await bridle(["ingest"]);
  await write("docs/fares.md", fares.replace(/\nThe net fare.*\n/, ""));
  const second = await report();
  expect(second).toMatchObject({ code: 0, evicted: [{ text: expect.stringContaining("The net fare") }] });
  expect(await pages()).not.toContain("The net fare");
  await rm(join(cwd, "docs/seasons.md"));
  const asked = model.asked.length;
  const { stdout } = await bridle(["ingest", "--output", "report.md"]);
  expect(stdout).toContain("0 added, 0 changed, 1 removed, 0 replaced");
  expect(await readFile(join(cwd, "report.md"), "utf8")).toMatch(/1 removed, 0 rejected[\s\S]*\n## Removed\n/);
  expect(model.asked).toHaveLength(asked);
  expect(await pages()).not.toContain("summer season");
});

test("a dry run shows the differences and writes no file, and the next run asks nothing twice", async () => {
  const { code, stdout, stderr } = await bridle(["ingest", "--dry-run"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "Nothing was written.\n" });
  expect(stdout).toMatch(/^\+The gross fare is the amount/m);
  expect(existsSync(join(cwd, "context"))).toBe(false);
  const asked = model.asked.length;
  expect(await report()).toMatchObject({ code: 0, state: "applied", added: { length: 3 }, differences: [] });
  expect(model.asked).toHaveLength(asked);
});

test("every call is a run of the project with its stage, and a report is written as HTML and Markdown", async () => {
  await bridle(["ingest", "--output", "report.html"]);
  expect(await readFile(join(cwd, "report.html"), "utf8")).toContain("<!doctype html>");
  await bridle(["ingest", "--output", "report.md"]);
  expect(await readFile(join(cwd, "report.md"), "utf8")).toContain("# Ingest report");
  const events = createTestCli(["events", "--json"], { cwd });
  expect((await events.run()).stdout).toContain('"labels":{"operation":"ingest","stage":"light"');
  const refused = await bridle(["ingest", "--output", "report.txt"]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(".html, .md or .json") });
});

test("an interrupt keeps what was answered, says how to continue, and the next run ends as if nothing had happened", async () => {
  const stopped = start(["ingest"]);
  model.onRequest = ({ system }) => {
    if (system.includes("You copy facts")) stopped.interrupt("SIGINT");
    return undefined;
  };
  const { code, stderr } = await stopped.run();
  expect(code).toBe(130);
  expect(stderr).toContain("the next run of the same command continues");
  expect(existsSync(join(cwd, "context"))).toBe(false);
  model.onRequest = undefined;
  model.asked.length = 0;
  expect(await report()).toMatchObject({ code: 0, added: { length: 3 } });
  expect(model.asked).not.toContain("You sort passages of");
});

test("a budget that does not suffice ends with exit code 1, and the next run continues", async () => {
  await configure("wiki: { type: documents, path: docs }", "prices: { claude-sonnet-5-5: { input: 3, output: 15 } }, ");
  const { code, stdout, stderr } = await bridle(["ingest", "--budget-usd", "0.000001"]);
  expect(code).toBe(1);
  expect(stderr).toContain("The budget is used up.");
  expect(stderr).toContain("Run the same command again to continue");
  expect(stdout).toMatch(/^ {2}unfinished {2}\S/m);
  expect(await report()).toMatchObject({ code: 0, added: { length: 3 } });
});

test("a model that fails leaves its documents for the next run, with the reason and exit code 1", async () => {
  model.onRequest = ({ system }) => (system.includes("You copy facts") ? { status: 400 } : undefined);
  const { code, stdout } = await bridle(["ingest"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ {2}unfinished {2}fares\.md: \S/im);
  model.onRequest = undefined;
  expect(await report()).toMatchObject({ code: 0, added: { length: 3 } });
});

test("with --review a person decides about each file", async () => {
  const no = await bridle(["ingest", "--review"], { typed: ["n"] });
  expect(no).toMatchObject({ code: 0, stderr: expect.stringContaining("+The gross fare") });
  expect(await pages()).toBe("");
  await bridle(["ingest", "--review"], { typed: ["y", "y"] });
  expect(await pages()).toContain("The gross fare");
  expect(await bridle(["ingest", "--review"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no terminal"),
  });
});

test("a path and a text from standard input are sources without settings, which stay until they are gone", async () => {
  await configure("wiki: { type: documents, path: docs/fares.md }");
  expect(await report("docs/seasons.md")).toMatchObject({ code: 0, added: { length: 1 } });
  const piped = await bridle(["ingest", "-", "--json"], {
    stdin: "The loyalty card gives a discount of 12 percent.\n",
  });
  expect(JSON.parse(piped.stdout)).toMatchObject({ added: { length: 1 }, evicted: [] });
  expect(await report()).toMatchObject({ added: { length: 2 }, evicted: [], claims: { current: 4 } });
  await rm(join(cwd, "docs/seasons.md"));
  expect(await report()).toMatchObject({ removedSources: ["docs/seasons.md"], evicted: { length: 1 } });
});

test("a text or a glob is removed by its name with what only it said, without a model, and a misspelt name is refused", async () => {
  await report("docs/*.md");
  await bridle(["ingest", "-"], { stdin: "The loyalty card gives a discount of 12 percent.\n" });
  const { sources } = JSON.parse((await bridle(["status", "--json"])).stdout);
  const names: string[] = sources.map(({ name }: { name: string }) => name);
  const text = names.find((name) => name.startsWith("text:")) ?? "";
  expect(names).toEqual(expect.arrayContaining(["docs/*.md", text]));
  const asked = model.asked.length;
  const planned = await report("--remove", text, "--dry-run");
  expect(planned).toMatchObject({ code: 0, removedSources: [text], evicted: { length: 1 } });
  expect(await pages()).toContain("loyalty card");
  expect(await report("--remove", text, "--remove", "docs/*.md")).toMatchObject({
    code: 0,
    removedSources: ["docs/*.md", text],
    evicted: { length: 4 },
  });
  expect(await pages()).toBe("");
  expect(model.asked).toHaveLength(asked);
  const refused = await bridle(["ingest", "--remove", "wiki"]);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("Remove it there") });
  expect(await bridle(["ingest", "--remove", text])).toMatchObject({ code: 3 });
});

test("models are asked about the documents of --only, and the others wait", async () => {
  expect(await report("--only", "fares*")).toMatchObject({ code: 0, added: { length: 2 } });
  expect(await pages()).not.toContain("summer season");
  expect(await report()).toMatchObject({ added: { length: 1 }, evicted: [] });
});

test("status shows the sources and the last ingest", async () => {
  const before = await bridle(["status"]);
  expect(before.stdout).toMatch(/^wiki \(documents, docs\): not ingested yet\. Run "bridle context ingest wiki"\.$/m);
  await bridle(["ingest"]);
  const after = await bridle(["status"]);
  expect(after.stdout).toMatch(/^wiki \(documents, docs\): 2 documents; read \d/m);
  expect(after.stdout).toMatch(/^last ingest \d.*: complete, 3 facts$/m);
  const { sources, ingest } = JSON.parse((await bridle(["status", "--json"])).stdout);
  expect(sources).toMatchObject([{ name: "wiki", type: "documents", items: 2 }]);
  expect(ingest).toMatchObject({ state: "ended", ended: "complete", facts: 3, contested: 0 });
});

test.each([
  ["wiki: { type: document, path: docs }", "bridle.yaml:5:"],
  ["wiki: { type: documents, pth: docs }", 'unknown key "pth". Did you mean "path"?'],
  ["wiki: { type: documents }", "path"],
  ["memory: { type: documents, path: docs }", "has a name that ingest itself uses"],
  ["log: { type: query_history, connection: shpo }", 'there is no connection "shpo". Did you mean "shop"?'],
  [`wiki: { type: notion, token: "\${ZQ_TOKEN}" }`, "ZQ_TOKEN"],
])("the source %s is refused with the reason", async (entry, message) => {
  await configure(entry);
  const { code, stderr } = await bridle(["ingest", entry.split(":")[0] ?? ""]);
  expect(code).toBe(3);
  expect(stderr).toContain(message);
});

test("a source that is missing or misspelt is named with the remedy", async () => {
  expect(await bridle(["ingest", "wikki"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('Did you mean "wiki"?'),
  });
  expect(await bridle(["ingest", "https://example.com/wiki"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("Write a source with its type and url"),
  });
  await write("bridle.yaml", "{}\n");
  expect(await bridle(["ingest"])).toMatchObject({ code: 3, stderr: expect.stringContaining("context.sources") });
});

test("a folder that is not trusted shows which services and files outside of it its sources read", async () => {
  await configure(`wiki: { type: documents, path: docs }
    far: { type: documents, path: ../elsewhere }
    notion: { type: notion, token: "\${ZQ_TOKEN}", url: "https://notion.example" }`);
  const { code, stderr } = await bridle(["ingest"], { hasTrust: true, environment: { HOME: join(cwd, "home") } });
  expect(code).toBe(3);
  expect(stderr).toMatch(/reads +the files of the source far of documents, with path: \.\.\/elsewhere/);
  expect(stderr).toMatch(/sends +credentials to the source notion of notion, with .*https:\/\/notion\.example/);
  expect(stderr).not.toContain("source wiki");
  expect(model.asked).toEqual([]);
});
