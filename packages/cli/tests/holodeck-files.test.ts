/**
 * Tests published HoloDeck agent files: `HOLODECK_FILES` names a folder with them, such as a clone of HoloDeck's samples. They are read
 * from there and never stored here. Missing files that they refer to are replaced with examples.
 */
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { namedFiles } from "@bridle/agent";
import { agentSurveySchema } from "@bridle/app/imports";
import { readTextFile } from "@bridle/core";
import { createRuntime } from "@bridle/project";
import { isPlainObject } from "@bridle/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { runCli } from "../src/command/cli-for-tests.ts";

const folder = process.env.HOLODECK_FILES ?? "";

const samples = [
  "content-moderation/azure-openai",
  "content-moderation/ollama",
  "content-moderation/openai",
  "customer-support/azure-openai",
  "customer-support/ollama",
  "customer-support/openai",
  "financial-assistant/claude",
  "financial-assistant/openai",
  "kitchen-assistant/ollama",
  "legal-assistant/claude",
  "legal-summarization/azure-openai",
  "legal-summarization/ollama",
  "legal-summarization/openai",
  "ticket-routing/azure-openai",
  "ticket-routing/ollama",
  "ticket-routing/openai",
];

/** The command `npx` for the tests. It fetches no package, but starts a server with one tool. */
const server = `#!${process.execPath}
const { createInterface } = require("node:readline");
const tool = { name: "look", description: "Looks.", inputSchema: { type: "object" } };
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const version = params && params.protocolVersion;
  const result = method === "initialize"
    ? { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: "made-up", version: "1" } }
    : method === "tools/list" ? { tools: [tool] } : { content: [{ type: "text", text: "Nothing." }] };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
});
`;

const python = `def subtract(a: str, b: str) -> str:
    """Compute a - b."""
    return str(float(a) - float(b))

def divide(a: str, b: str) -> str:
    """Compute a / b."""
    return str(float(a) / float(b))
`;

const contents: Readonly<Record<string, string>> = {
  ".json":
    '[{ "id": "1", "content": "An example.", "question": "Why?", "answer": "So.", "description": "An example." }]',
  ".yaml":
    '- { name: first, turns: [{ input: How much?, ground_truth: "5" }, { input: And now?, ground_truth: "5" }] }\n',
  ".py": python,
  ".md": "# An example\n\nOne sentence.\n",
  ".pdf": "",
};

let copy = "";
let environment: Record<string, string> = {};
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "bridle-holodeck-"));
  await writeFile(join(copy, "npx"), server);
  await chmod(join(copy, "npx"), 0o755);
  const variables = ["OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "AZURE_OPENAI_DEPLOYMENT_NAME", "QDRANT_URL"];
  const others = ["AZURE_OPENAI_EMBEDDING_DEPLOYMENT_NAME", "BRAVE_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"];
  const names = [...variables, ...others];
  environment = {
    ...Object.fromEntries(names.map((name) => [name, "value"])),
    PATH: `${copy}:${process.env.PATH}`,
    HOME: copy,
    AZURE_OPENAI_ENDPOINT: "https://r.example",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
  };
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** Returns a value that matches a JSON Schema. */
function exampleOf(schema: unknown): unknown {
  if (!isPlainObject(schema)) return "An example.";
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0]);
  if (schema.type === "array") return [];
  if (schema.type === "number" || schema.type === "integer") return schema.maximum ?? 5;
  if (schema.type === "boolean") return true;
  if (schema.type !== "object") return "An example.";
  return Object.fromEntries(Object.entries(Object(schema.properties)).map(([key, inner]) => [key, exampleOf(inner)]));
}

/** Creates a script that calls the first tool of each case, answers the case and judges it. */
function scriptFor(agent: Record<string, unknown>): string {
  const { response_format: format, tools } = agent;
  const answer = isPlainObject(format) ? { object: exampleOf(format) } : { say: "An example." };
  const searched = (Array.isArray(tools) ? tools : []).find(({ type }) => type === "vectorstore");
  const searching = searched === undefined ? [] : [{ call: searched.name, with: { query: "example" } }];
  const turns = [
    { when: { user: "List every" }, steps: [{ object: { statements: ["An example."] } }] },
    {
      when: { user: "A verdict holds" },
      steps: [{ object: { verdicts: [{ number: 1, reason: "So.", holds: true }] } }],
    },
    { when: { user: "List three to five" }, steps: [{ object: { steps: ["Read it."] } }] },
    { when: { user: "Score the assistant" }, steps: [{ object: { reason: "Good.", score: 10 } }] },
    { steps: [...searching, answer] },
  ];
  return stringify({ rehearsal: 1, turns });
}

/** Copies a sample and creates all files that its agent refers to. */
async function prepare(sample: string) {
  const cwd = join(copy, sample);
  await mkdir(dirname(cwd), { recursive: true });
  await cp(join(folder, sample), cwd, { recursive: true });
  await writeFile(join(cwd, "bridle.yaml"), "");
  for (const { name } of namedFiles(parse(await readTextFile(join(cwd, "agent.yaml"))))) {
    const path = join(cwd, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents[extname(name)] ?? "An example.\n", { flag: "wx" }).catch(() => undefined);
  }
  return cwd;
}

const metricSchema = z.looseObject({ score: z.number().nullable(), reason: z.string().nullable() });
const turnSchema = z.looseObject({ metrics: z.array(metricSchema) });
const trialSchema = z.looseObject({ turns: z.array(turnSchema) });
const resultSchema = z.looseObject({ cases: z.array(z.looseObject({ trials: z.array(trialSchema) })) });

/** Returns the folder of a sample, in a clone of the samples or in the folder above the clone. */
function sampleIn(name: string): string {
  const places = [name, `samples/${name}`, `holodeck-samples/${name}`];
  return places.find((place) => existsSync(join(folder, place))) ?? name;
}

describe.skipIf(folder === "")("with HOLODECK_FILES, files of HoloDeck", () => {
  test("all load, unchanged or after the import, except examples in documents", async () => {
    const { stdout } = await runCli(["agent", "import", "holodeck", folder, "--json"], { cwd: copy });
    const files = agentSurveySchema.parse(JSON.parse(stdout)).files.filter(({ file }) => !/\.md:\d+$/.test(file));
    expect(files.length).toBeGreaterThan(0);
    expect(
      files.filter(({ loads }) => loads === "not").map(({ file, problems }) => [file, problems[0]?.message]),
    ).toEqual([]);
  });

  test.for(samples)("run their tests in a rehearsal after the import: %s", async (name, { skip }) => {
    skip(!existsSync(join(folder, sampleIn(name))), "the folder has no such sample");
    const cwd = await prepare(sampleIn(name));
    const imported = await runCli(["agent", "import", "holodeck", "agent.yaml"], { cwd, environment });
    expect(imported).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/^agent/m) });
    const agent = parse(await readTextFile(join(cwd, "agent.bridle.yaml"))) as Record<string, unknown>;
    await writeFile(join(cwd, "rehearsal.yaml"), scriptFor(agent));
    const words = ["test", "agent.bridle.yaml", "--rehearse", join(cwd, "rehearsal.yaml"), "--report", "json"];
    const { code, stdout, stderr } = await runCli(words, { cwd, environment, createRuntime });
    expect([0, 1], stderr).toContain(code);
    const cases = resultSchema.parse(JSON.parse(stdout)).cases;
    const turns = cases.flatMap(({ trials }) => trials.flatMap((trial) => trial.turns));
    expect(turns.length).toBeGreaterThan(0);
    // The vectors are meaningless, so there may be no match above the thresholds of a sample. There may also be several sentences, but the
    // script has only one verdict.
    const limits = /^(?:there is no retrieved text|the judge's answer does not match the schema)/;
    const unscored = turns.flatMap(({ metrics }) => metrics).filter(({ score }) => score === null);
    expect(unscored.filter(({ reason }) => !limits.test(reason ?? ""))).toEqual([]);
  });
});
