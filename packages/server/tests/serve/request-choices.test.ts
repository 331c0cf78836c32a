import { expect, test } from "vitest";
import { z } from "zod";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { serveDesk } from "../support/serve-desk.ts";
import { untilAsked, untilEnd } from "../support/start-api.ts";

const problemSchema = z.looseObject({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.looseObject({ pointer: z.string().optional() })).default([]),
});
const startedSchema = z.looseObject({ runId: z.string() });

const problemOf = async (response: Response) => problemSchema.parse(await response.json());
const runOf = async (response: Response) => startedSchema.parse(await response.json()).runId;

type Desk = Awaited<ReturnType<typeof serveDesk>>;

const post = ({ send }: Desk, session: string, body: object) =>
  send(`/api/v1/sessions/${session}/runs`, { method: "POST", json: { prompt: "Hi.", ...body } });

/** Starts a run with a request, and returns all events of the run. */
async function eventsOf(desk: Desk, session: string, body: object) {
  const started = await post(desk, session, body);
  expect(started.status).toBe(202);
  const eventLog = await desk.context.project.openEventLog();
  try {
    await untilEnd(await runOf(started), eventLog);
    return await eventLog.read({ sessionId: session, withoutDeltas: true });
  } finally {
    await eventLog.close();
  }
}

const choices: readonly [what: string, body: object, pointer: string][] = [
  ["a model", { model: "opus" }, "/model"],
  ["a mode", { mode: "yolo" }, "/mode"],
  ["more responses", { steps: 1000 }, "/steps"],
  ["where to connect", { baseUrl: "https://evil.example" }, "/baseUrl"],
  ["a gateway", { gatewayUrl: "wss://evil.example" }, "/gatewayUrl"],
  ["a folder", { cwd: "/" }, "/cwd"],
  ["a project", { projectDir: "/" }, "/projectDir"],
  ["a file", { file: "/etc/passwd" }, "/file"],
  ["an environment", { env: { PATH: "/tmp" } }, "/env"],
  ["tools", { tools: [{ name: "shell" }] }, "/tools"],
  ["a budget", { maxCostUsd: 1000 }, "/maxCostUsd"],
  ["instructions", { system: "Obey." }, "/system"],
  ["rules", { policy: { mode: "yolo" } }, "/policy"],
  ["forwarded properties", { forwardedProps: { model: "opus" } }, "/forwardedProps"],
  [
    "a file of the server as attachment",
    { attachments: [{ mediaType: "text/plain", path: "/etc/passwd" }] },
    "/attachments/0/path",
  ],
];

test("S13: a request cannot choose a model, rules, tools, a folder, an address or anything else of the files", async () => {
  const desk = await serveDesk();
  for (const [what, body, pointer] of choices) {
    const refused = await post(desk, "refused", body);
    expect(refused.status, what).toBe(422);
    const { errors } = await problemOf(refused);
    expect(
      errors.map((each) => each.pointer),
      what,
    ).toContain(pointer);
  }
  expect((await desk.send("/api/v1/sessions/refused")).status).toBe(404);
});

test("S13: the addresses and files that a façade's client sends along have no effect", async () => {
  const desk = await serveDesk({}, "serve: { protocols: [ag-ui] }\n");
  const input = { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "Hi." }], tools: [] };
  const props = { model: "opus", gatewayUrl: "wss://evil.example", cwd: "/", mode: "yolo", env: { A: "b" } };
  const sent = { ...input, state: props, context: [], forwardedProps: props };
  const response = await desk.send("/ag-ui/agents/agent", { method: "POST", json: sent });
  expect(await response.text()).toContain('"outcome":{"type":"success"}');
  const eventLog = await desk.context.project.openEventLog();
  const events = JSON.stringify(await eventLog.read({ sessionId: "t" }));
  await eventLog.close();
  expect(events).toContain("desk-model");
  expect(events).not.toMatch(/opus|evil|yolo/);
});

test("S13: a request chooses exactly what serve.allow lists", async () => {
  const allow = "serve: { allow: { models: [small-model], modes: [read-only], steps: 3 } }\n";
  const desk = await serveDesk({}, allow);
  const events = await eventsOf(desk, "chosen", { model: "small-model", mode: "read-only", steps: 2 });
  expect(events[0]).toMatchObject({ type: "run.started", model: "small-model" });
  expect(events[0]).toMatchObject({ stepBudget: 2 });
  const refused = await post(desk, "other", { model: "smal-model" });
  expect(refused.status).toBe(422);
  const problem = await problemOf(refused);
  expect(problem).toMatchObject({ code: "not-allowed", errors: [{ pointer: "/model" }] });
  expect(problem.detail).toContain("has only small-model");
  expect((await post(desk, "other", { mode: "yolo" })).status).toBe(422);
  expect((await post(desk, "other", { steps: 4 })).status).toBe(422);
});

test("--no-tools-run refuses every call by a rule of the server, whatever the rules of the files", async () => {
  const agent = deskFiles["agent.yaml"]?.replace("then: ask", "then: allow") ?? "";
  const cwd = await createFolder({ ...deskFiles, "agent.yaml": agent });
  const desk = await serveDesk({ runsTools: false }, "", cwd);
  const events = await eventsOf(desk, "s", { prompt: "Where is my order?" });
  expect(events.find(({ type }) => type === "tool.evaluated")).toMatchObject({
    decision: "deny",
    rule: "server:no-tools-run",
  });
  expect(events.some(({ type }) => type === "tool.started")).toBe(false);
  const tests = await desk.send("/api/v1/tests/runs", { method: "POST", json: { agent: "agent" } });
  expect([tests.status, await tests.json()]).toMatchObject([403, { code: "no-tools-run" }]);
});

test("S14: a prompt with files may have 1 MiB, and 20 MiB if serve.uploads says so", async () => {
  const large = { attachments: [{ mediaType: "text/plain", data: Buffer.alloc(3_000_000, "a").toString("base64") }] };
  expect((await post(await serveDesk(), "large", large)).status).toBe(413);
  const desk = await serveDesk({}, "serve: { uploads: true }\n");
  expect((await post(desk, "large", large)).status).toBe(202);
  const tooLarge = { attachments: [{ mediaType: "text/plain", data: "a".repeat(21_000_000) }] };
  expect((await post(desk, "larger", tooLarge)).status).toBe(413);
  const other = await desk.send("/api/v1/sessions", {
    method: "POST",
    json: { labels: { note: "a".repeat(2_000_000) } },
  });
  expect(other.status).toBe(413);
});

test("S16: what a tool returned is served as it is on record, without credentials", async () => {
  const secret = "sk-planted-0123456789abcdef";
  const agent = deskFiles["agent.yaml"]?.replace("then: ask", "then: allow") ?? "";
  const tools = `export function lookup() { return "The key is ${secret}."; }\n`;
  const cwd = await createFolder({
    ...deskFiles,
    "agent.yaml": agent,
    "tools.mjs": tools,
    ".env": `DESK_API_KEY=${secret}\n`,
  });
  const desk = await serveDesk({}, "serve: { protocols: [ag-ui, ai-sdk, openai] }\n", cwd);
  const prompt = "Where is my order?";
  const user = { id: "1", role: "user" };
  const message = { ...user, content: prompt };
  const replies = [
    ["/ag-ui/agents/agent", { threadId: "a", runId: "r", messages: [message], tools: [] }],
    ["/ai-sdk/agents/agent/chat", { id: "b", messages: [{ ...user, parts: [{ type: "text", text: prompt }] }] }],
    ["/openai/v1/responses", { model: "agent", input: prompt }],
  ] as const;
  for (const [path, json] of replies) {
    const text = await (await desk.send(path, { method: "POST", json })).text();
    expect(text, path).toContain("The key is");
    expect(text, path).not.toContain(secret);
  }
  for (const path of ["events", "transcript", "runs"]) {
    const read = await desk.send(`/api/v1/sessions/a/${path}`);
    expect([read.status, await read.text()], path).toEqual([200, expect.not.stringContaining(secret)]);
  }
});

test("an answer needs the role operator of its own, and --read-only gives it to nobody", async () => {
  const desk = await serveDesk();
  const runId = await runOf(await post(desk, "s", { prompt: "Where is my order?" }));
  const eventLog = await desk.context.project.openEventLog();
  const { approvalId, inputHash } = await untilAsked(runId, eventLog);
  await eventLog.close();
  await desk.end();
  const reading = await serveDesk({ isReadOnly: true }, "", desk.cwd);
  const json = { inputHash, decision: "allow" };
  const answer = await reading.send(`/api/v1/approvals/${approvalId}/answer`, { method: "POST", json });
  expect([answer.status, (await problemOf(answer)).code]).toEqual([403, "operator-only"]);
});
