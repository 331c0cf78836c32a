import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inspect } from "node:util";
import { gunzipSync } from "node:zlib";
import { createMemoryEventLog } from "@bridle/core";
import { createRuntime } from "@bridle/project";
import { defineTool, type EventLog, type Logger, type LoopRequest, type RunEvent } from "@bridle/protocol";
import { openStore } from "@bridle/store-sqlite";
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { unpackFiles } from "../../../app/src/bundles/archive/tar-for-tests.ts";
import { type Place, startCommand } from "../support/command.ts";
import { foundIn, type PlantedName, planted as p, planted, variables } from "../support/planted-secrets.ts";

const config = `
llm:
  provider:
    backend: anthropic
    apiKey: "\${MODEL_HOST}"
    headers: { x-gateway: "\${GATEWAY_PASS}", x-shop: ${p.typed} }
  models: { default: claude-opus-5 }
`;

const inJson = JSON.stringify;
const call = (tool: string, text: string) => ({ call: tool, with: { text } });
const steps = {
  answer: [
    {
      think: `I was told ${p.replicate}.`,
      say: `It is ${p.multiByte}日, ${p.google}.`,

      split_utf8: true,
    },
  ],
  calls: [
    call("tell", `{"password": "${p.namedField}"} Authorization: Bearer ${p.bearer}`),
    call("tell", `curl -u ${p.slack} https://${p.urlToken}@git.example, Authorization: Basic ${p.basic}`),
    { call: "give", with: {} },
    call("throw", p.databricks),
    { call: "Bash", with: { command: `export K=${p.groq}` } },
    { say: `Let me see: ${p.variable}`, ...call("ask", p.sendgrid), chunk_bytes: 5 },
  ],
};
const refusal = { status: 401, message: `invalid x-api-key: ${p.reference} ${p.anthropic} ${p.header}` };
const turns = [
  { when: { user: "succeed" }, steps: [...steps.calls, ...steps.answer] },
  { when: { user: "refuse" }, steps: [...steps.calls, refusal] },
  { when: { user: "break" }, steps: [{ say: `Half of ${p.variable.slice(0, 20)}`, cut: true, forever: true }] },
  { when: { user: "hang" }, steps: [...steps.calls, call("hang", p.githubFine)] },
  { when: { user: "plain" }, steps: steps.answer },
];

const given = `${p.aws} postgres://shop:${encodeURIComponent(p.addressPassword)}@db/x, or alone ${p.addressPassword}`;
const everything = [
  given,
  p.jwt,
  p.github,
  p.pem,
  p.multiLine,
  `?refresh_token=${p.refresh}`,
  btoa(`ada:${p.variable}`),
  "",
].join("\n");

function toolsOf() {
  const input = z.object({ text: z.string() });
  const described = (name: string) => ({ name, description: `Shows ${p.openai}.`, input });
  return [
    defineTool({ ...described("tell"), execute: async ({ text }) => `You said ${text}` }),
    defineTool({
      ...described("give"),
      input: z.object({}),
      maxResultChars: 500,
      execute: async (_input, { progress, logger }) => {
        progress(`fetched with ${p.huggingFace}`);
        logger.warn({ with: p.jwt, error: new Error(p.variable) }, p.pem);
        return {
          markdown: everything.repeat(5),
          structured: { apiKey: "anything", list: [everything], typed: p.typed },
        };
      },
    }),
    defineTool({
      ...described("throw"),
      execute: () => Promise.reject(new Error(`no ${p.npm}`, { cause: new Error(p.subscription) })),
    }),
    defineTool({
      ...described("ask"),
      annotations: { destructive: true },
      preview: ({ text }) => `would send ${text} with ${p.gitlab}`,
      execute: async ({ text }) => text,
    }),
  ];
}

const spans = new InMemorySpanExporter();
let place: Place;
let cache = "";
beforeAll(async () => {
  const root = await mkdtemp(join(tmpdir(), "bridle-secrets-"));
  const [home, project] = [join(root, "home"), join(root, "project")];
  cache = join(root, "cache");
  for (const folder of [home, project, cache]) await mkdir(folder);
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    XDG_CACHE_HOME: cache,
    BRIDLE_TRUST: "all",
    ...variables,
  };
  const remove = () => rm(root, { recursive: true, force: true, maxRetries: 5 });
  place = { home, configDir: join(home, ".claude"), project, environment, remove };
  await writeFile(join(project, "bridle.yaml"), config);
  await writeFile(join(project, "script.yaml"), inJson({ rehearsal: 1, turns }));
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }));
});
afterAll(async () => {
  trace.disable();
  await place.remove();
});

function requestOf(word: string): LoopRequest {
  const data = Buffer.from(`A note with ${p.githubFine} and ${p.variable}`).toString("base64");
  return {
    system: `Use ${p.stripe}.`,
    prompt: [
      {
        role: "user",
        content: [
          { type: "text", text: `${word} with ${p.googleOAuth} ${p.reference}` },
          { type: "file", mediaType: "text/plain", name: "note.txt", data },
        ],
      },
    ],
    labels: { from: `the shop ${p.anthropic}` },
    tools: toolsOf(),
    stepBudget: 12,
  };
}

/** Collects every trace of a run, except for the answer that the program receives. */
async function traceOf(word: string, record: EventLog | "project" | undefined) {
  const told: unknown[] = [];
  const tell = (fields: object, message: string) => void told.push(fields, message);
  const logger: Logger = { debug: tell, info: tell, warn: tell, error: tell };
  const events: RunEvent[] = [];
  const runtime = await createRuntime({
    projectDir: place.project,
    environment: place.environment,
    rehearse: join(place.project, "script.yaml"),
    mode: "normal",
    logger,
    ...(record && { eventLog: record }),
    approve: async () => ({ decision: "allow", message: `fine, ${p.gitlab}`, input: { text: `edited ${p.sendgrid}` } }),
    onEvent(event) {
      events.push(event);
      if (event.type === "run.started") throw new Error(`a listener with ${p.openai} and ${p.variable}`);
    },
  });
  const run = runtime.runAgentLoop(requestOf(word));
  for await (const event of run) events.push(event);
  const { stopReason, text, error } = await run.result;
  await runtime.close();
  const ids = events.flatMap((event) => ("artifact" in event ? [event.artifact ?? ""] : []));
  const artifacts = typeof record === "object" ? await Promise.all(ids.map((id) => record.artifact(id))) : [];
  const kept = {
    events: inJson(events.map(withoutDecided)),
    artifacts: artifacts.join(),
    error: inspect(error, { depth: 20 }),
  };
  const shown = { log: inspect(told, { depth: 20 }), spans: inspect(spans.getFinishedSpans(), { depth: 6 }) };
  return { stopReason, text, events, traces: { ...kept, ...shown } };
}

/** Reads every file under a folder as bytes. */
async function filesUnder(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(path, "utf8")] as const)),
  );
}

function leaksOf(traces: Readonly<Record<string, string>>, accepted: readonly PlantedName[] = []): string[] {
  return Object.entries(traces).flatMap(([where, text]) => {
    const found = foundIn(text).filter((name) => !accepted.includes(name));
    return found.map((name) => `${name} in ${where}`);
  });
}

/** Values in the inputs of calls. Calls are shown as they run, unless they contain a known credential. */
const inCalls: readonly PlantedName[] = [
  "namedField",
  "bearer",
  "slack",
  "urlToken",
  "basic",
  "databricks",
  "groq",
  "sendgrid",
  "gitlab",
  "githubFine",
];

/** Returns an event without the values that the user needs for an approval. */
function withoutDecided(event: RunEvent): object {
  const { type } = event;
  if (type === "tool.requested") return { ...event, input: null };
  if (type === "approval.requested") return { ...event, input: null, preview: null };
  return type === "approval.decided" ? { ...event, input: null } : event;
}

test("over 25 credentials are planted, through every input", () => {
  const { system, prompt, labels } = requestOf("x");
  const inTools = [p.subscription, p.gitlab, p.openai, p.githubFine, p.huggingFace, p.npm, p.jwt];
  const names = new Set(foundIn(inJson([config, turns, everything, variables, system, prompt, labels, inTools])));
  const missing = (Object.keys(planted) as PlantedName[]).filter((name) => !names.has(name));
  expect(missing).toEqual([]);
  expect(Object.keys(planted).length).toBeGreaterThan(25);
});

const endings = [
  ["succeeds", "succeed", "natural"],
  ["is refused by its host", "refuse", "error"],
  ["breaks off in the middle of a credential", "break", "error"],
] as const;

test.each(endings)("a run that %s leaves no credential in an event, artifact, error, log or span", async (...row) => {
  const [, word, stopReason] = row;
  const defaults = await traceOf(word, undefined);
  const memory = await traceOf(word, createMemoryEventLog({}));
  expect(defaults.stopReason).toBe(stopReason);
  expect(leaksOf(defaults.traces)).toEqual([]);
  const unknown: readonly PlantedName[] = ["variable", "reference", "header", "typed", "multiByte", "multiLine"];
  const own: readonly string[] = unknown.concat("addressPassword"); // a recording by the caller only knows the forms of credentials
  expect(leaksOf(memory.traces).filter((leak) => !own.includes(leak.split(" ")[0] ?? ""))).toEqual([]);
  expect(defaults.traces.log).toContain(
    "a listener with [secret: 47 characters] and [secret SHOP_API_KEY: 26 characters with spaces or symbols]",
  );
  if (word === "succeed") expect(defaults.text).toBe(`It is ${p.multiByte}日, ${p.google}.`);
});

test("no file of the project's event log contains a credential, whichever way its runs ended", async () => {
  for (const [, word, stopReason] of endings) {
    const { traces, ...run } = await traceOf(word, "project");
    expect(run.stopReason).toBe(stopReason);
    expect(leaksOf(traces)).toEqual([]);
  }
  const files = await filesUnder(join(place.project, ".bridle"));
  const texts = await storedTexts(join(place.project, ".bridle"));
  expect(Object.keys(texts).length).toBeGreaterThan(endings.length);
  expect(Object.keys(files).some((path) => path.endsWith("bridle.log"))).toBe(true);
  expect(leaksOf({ ...files, ...texts, ...(await filesUnder(cache)) }, inCalls)).toEqual([]);
});

test("what a person decides about shows all that runs, except for known credentials", async () => {
  const { events } = await traceOf("succeed", undefined);
  const decided = inJson(events.filter((event) => withoutDecided(event) !== event));
  const visible = [p.slack, p.bearer, p.basic, p.databricks, `export K=${p.groq}`, p.sendgrid, p.gitlab];
  expect(visible.filter((text) => !decided.includes(text))).toEqual([]);
  expect(leaksOf({ decided }, inCalls)).toEqual([]);
});

/** Joins the long texts in an event log as a reader gets them, because a file stores them in parts. */
async function storedTexts(folder: string): Promise<Record<string, string>> {
  const database = new DatabaseSync(join(folder, "state.db"), { readOnly: true });
  const ids = database.prepare("SELECT DISTINCT id FROM contents").all();
  database.close();
  const store = openStore({ folder, readOnly: true });
  const texts: Record<string, string> = {};
  for (const { id } of ids) texts[`text ${id}`] = (await store.artifact(String(id))) ?? "";
  await store.close();
  return texts;
}

async function bridle(...words: string[]) {
  const command = startCommand(words, place);
  const code = await command.ended;
  return { code, shown: command.stdout() + command.stderr() };
}

const toolsFile = `
import { defineTool } from "bridle";
import { z } from "zod";
const input = z.object({ text: z.string() });
export default [
  defineTool({ name: "tell", description: "Tells.", annotations: { readOnly: true }, input, execute: async ({ text }) => text + process.env.SHOP_API_KEY }),
  defineTool({ name: "give", description: "Gives.", input: z.object({}), execute: async () => ${inJson(everything)} }),
  defineTool({ name: "throw", description: "Throws.", input, execute: async () => { throw new Error(${inJson(p.npm)}); } }),
  defineTool({ name: "ask", description: "Asks.", input, execute: async ({ text }) => text }),
  defineTool({ name: "hang", description: "Hangs.", input, execute: () => new Promise(() => setInterval(() => {}, 1000)) }),
];
`;

const agentFile = `
name: desk
instructions: { inline: ${inJson(`Use ${p.stripe} and ${p.variable}.`)} }
tools:
  - { type: function, name: tell, file: named.ts, function: tell }
  - { type: function, name: give, file: named.ts, function: give }
  - { type: function, name: throw, file: named.ts, function: fail }
  - { type: function, name: ask, file: named.ts, function: ask }
test_cases:
  - name: ${inJson(`succeeds with ${p.github}`)}
    input: ${inJson(`succeed with ${p.openai} ${p.reference}`)}
    ground_truth: ${inJson(p.multiByte)}
    retrieval_context: [${inJson(p.jwt)}]
    expected_tools: [{ name: tell, args: { text: ${inJson(p.slack)} } }]
    evaluations:
      - { type: standard, metric: contains, value: ${inJson(`${p.typed}, ${p.google}`)} }
      - { type: standard, metric: exact_match }
      - { type: code, name: fails, file: named.ts, function: grade }
  - { name: plain, input: plain, evaluations: [{ type: standard, metric: equality, value: ${inJson(p.variable)} }] }
`;
const namedTools = `
import tools from "./tools.ts";
export const [tell, give, fail, ask] = tools;
export const grade = ({ answer }) => { throw new Error(answer + ${inJson(everything)}); };
`;

test("no test result contains a credential, whether it is shown or written", async () => {
  await writeFile(join(place.project, "tools.ts"), toolsFile);
  await writeFile(join(place.project, "named.ts"), namedTools);
  await writeFile(join(place.project, "desk.yaml"), agentFile);
  const rehearsed = ["test", "desk.yaml", "--rehearse", "script.yaml"];
  const commands = [
    [...rehearsed, "--output", "results.html"],
    [...rehearsed, "--json", "--trials", "2"],
    ["test", "show"],
    ["test", "show", "--case", "succeeds with [secret: 43 characters]"],
    ["test", "show", "--report", "junit"],
    ["test", "show", "--report", "markdown"],
    ["test", "history"],
    ["test", "compare"],
    ["test", "compare", "--json"],
  ];
  const shown: Record<string, string> = {};
  for (const words of commands) {
    const { code, shown: text } = await bridle(...words);
    shown[words.slice(1).join(" ")] = text;
    expect({ words, code, text }).toMatchObject({ code: words === commands[0] || words === commands[1] ? 1 : 0 });
  }
  expect(shown["show --case succeeds with [secret: 43 characters]"]).toMatch(
    /> succeed with \[secret: 47 characters\] \[secret MODEL_HOST\]\n/,
  );
  const files = await filesUnder(join(place.project, ".bridle"));
  expect(Object.keys(files).filter((path) => path.includes("test-runs")).length).toBeGreaterThan(1);
  const written = { html: await readFile(join(place.project, "results.html"), "utf8") };
  expect(leaksOf({ ...shown, ...written })).toEqual([]);
  expect(leaksOf(files, inCalls)).toEqual([]);
});

test("no command shows or writes a credential of a run that succeeded, failed or was killed", async () => {
  await writeFile(join(place.project, "tools.ts"), toolsFile);
  await writeFile(join(place.project, "broken.ts"), `throw new Error(${inJson(`${p.slack} ${p.variable}`)});`);
  const rehearsed = ["--rehearse", "script.yaml", "--tools", "tools.ts"];
  const hanging = startCommand(["run", ...rehearsed, "--events", `hang ${p.anthropic}`], place);
  await hanging.shows('"tool":"hang"');
  hanging.child.kill("SIGKILL");
  await hanging.ended;
  const shown: Record<string, string> = { hanging: hanging.stdout() + hanging.stderr() };
  const commands = [
    ["run", ...rehearsed, `succeed ${p.openai}`],
    ["run", ...rehearsed, "--json", `refuse ${p.openai}`],
    ["run", "--tools", "broken.ts", "plain"],
    ["record", "--out", "cassette.yaml", ...rehearsed, `succeed ${p.openai}`],
    ["events", "--json"],
    ["replay", "--fast"],
    ["status", "--json"],
    ["doctor", "--json"],
    ["bundle", "--artifacts", "--out", "bundle.tar.gz"],
    ["bundle", "--check", "bundle.tar.gz"],
  ];
  for (const words of commands) shown[words.join(" ").slice(0, 30)] = (await bridle(...words)).shown;
  const bundle = unpackFiles(gunzipSync(await readFile(join(place.project, "bundle.tar.gz"))));
  const unpacked = bundle.map(({ path, content }) => [`bundle/${path}`, Buffer.from(content).toString("utf8")]);
  const written = { cassette: await readFile(join(place.project, "cassette.yaml"), "utf8") };
  const files = await filesUnder(join(place.project, ".bridle"));
  expect(leaksOf(written)).toEqual([]);
  expect(leaksOf({ ...shown, ...files, ...Object.fromEntries(unpacked) }, inCalls)).toEqual([]);
  expect(unpacked.length).toBeGreaterThan(5);
});
