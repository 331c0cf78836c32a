import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { startApi, untilAsked, untilEnd } from "../support/start-api.ts";

const documents = `  - type: documents
    name: handbook
    description: The handbook.
    source: docs
`;
const files = {
  ...deskFiles,
  "agent.yaml": `${deskFiles["agent.yaml"]?.replace("policy:", `${documents}policy:`)}test_cases:
  - name: greets
    input: Hi.
    ground_truth: Hello from the desk.
`,
  "docs/returns.md": "# Returns\n\nA walnut desk can be returned within thirty days.\n",
};

test("status, doctor, limits and agents say what the project has, without credentials", async () => {
  const api = await startApi();
  const status = await api.get("/status");
  expect(status.body).toMatchObject({ agents: ["agent"], caller: { name: "tests", role: "operator" } });
  expect((await api.get("/doctor")).body.checks.length).toBeGreaterThan(3);
  expect((await api.get("/limits")).body).toEqual({
    maxConcurrency: 4,
    onUsageLimit: "fail",
    usedUp: null,
    windows: [],
  });
  const list = await api.get("/agents");
  expect(list.body.agents).toMatchObject([{ id: "agent", name: "desk", file: "agent.yaml" }]);
  const agent = await api.get("/agents/agent");
  expect(agent.body.details).toMatchObject({ name: "desk", tools: [{ name: "lookup" }], policy: { rules: 1 } });
  expect((await api.get("/agents/dsk")).status).toBe(404);
});

test("a text is checked as an agent file with the line of each problem, and the file stays as it is", async () => {
  const api = await startApi();
  const before = await readFile(join(api.folder, "agent.yaml"), "utf8");
  expect((await api.get("/agent-checks")).body.agents).toEqual([{ id: "agent", ok: true, problem: null }]);
  const good = await api.post("/agents/agent/validate", { text: before });
  expect(good.body.problems.filter(({ nearest }: { nearest: string | null }) => nearest)).toEqual([]);
  const wrong = await api.post("/agents/agent/validate", { text: before.replace("description:", "descripton:") });
  expect(wrong.body).toMatchObject({
    ok: false,
    problems: expect.arrayContaining([expect.objectContaining({ line: 2, nearest: "description" })]),
  });
  expect(await readFile(join(api.folder, "agent.yaml"), "utf8")).toBe(before);
});

test("under a rehearsal, an agent has no problem of the host that a script replaces, and what is checked is redacted", async () => {
  const api = await startApi();
  expect((await api.get("/agents/agent")).body.details.problems).toEqual([]);
  expect((await api.get("/agents/agent/check")).body).toMatchObject({ ok: true, problems: [], lines: [] });
  const text = deskFiles["agent.yaml"] ?? "";
  const token = `npm_${"a1B2".repeat(9)}`;
  expect((await api.post("/agents/agent/validate", { text })).body).toMatchObject({ ok: true, problems: [] });
  const wrong = await api.post("/agents/agent/validate", { text: `${text}${token}: 1\n` });
  expect(wrong.body.problems).toMatchObject([{ message: expect.stringContaining("unknown") }]);
  expect(JSON.stringify(wrong.body)).not.toContain(token);
});

test("costs by day, processes and the boundary say what the runs on record and this machine show", async () => {
  const api = await startApi();
  await api.run("one", "Hi.");
  const costs = await api.get("/costs?days=2&timeZone=Europe/Berlin");
  expect(costs.body).toMatchObject({ isWhole: true, days: [{ backend: "openai", runs: 1, rehearsed: 1 }] });
  expect((await api.get("/costs?timeZone=Mars/Olympus")).status).toBe(422);
  expect((await api.get("/processes")).body).toMatchObject({ pid: process.pid, runs: [] });
  expect((await api.get("/doctor/boundary")).body).toEqual({ at: null, check: null });
  const proof = await api.post("/doctor/boundary", {});
  expect(proof.body).toMatchObject({ at: expect.any(String), check: { id: "boundary", ok: "skipped" } });
  expect((await api.get("/doctor/boundary")).body).toEqual(proof.body);
});

test("a file of an agent that became wrong is shown with its lines, and a right one with its rules and schemas", async () => {
  const api = await startApi();
  const { body } = await api.get("/agents/agent");
  expect(body.rules[0]).toEqual({ rule: "rules[0] lookup", subject: "lookup", decision: "ask", source: "agent.yaml" });
  expect(body.details.tools[0].inputSchema).toMatchObject({ properties: { id: { type: "string" } } });
  const file = join(api.folder, "agent.yaml");
  await writeFile(file, (await readFile(file, "utf8")).replace("function: lookup", "functoin: lookup"));
  const checked = (await api.get("/agents/agent/check")).body;
  expect(checked).toMatchObject({ ok: false, file: "agent.yaml" });
  expect(checked.problems).toContainEqual(expect.objectContaining({ line: 9, nearest: "function" }));
  expect(checked.lines.find(({ line }: { line: number }) => line === 9)).toMatchObject({
    isWrong: true,
    text: "    functoin: lookup",
  });
});

test("rules are read, previewed over recorded calls, and changed only on the version that was read", async () => {
  const api = await startApi();
  const started = await api.post("/sessions/one/runs", { prompt: "Where is my order?" });
  await untilAsked(started.body.runId, api.workspace.eventLog);
  await api.post(`/runs/${started.body.runId}/stop`);
  await untilEnd(started.body.runId, api.workspace.eventLog);
  const { body, headers } = await api.get("/rules");
  expect(body).toEqual({ file: "bridle.yaml", rules: null, order: [], isInEffect: true, warnings: [] });
  const rules = { disable: ["read_result"], rules: [{ tool: "lookup", then: "deny" }] };
  const preview = await api.post("/rules/preview", { rules });
  expect(preview.body).toMatchObject({
    changed: 1,
    calls: [
      { tool: "lookup", recorded: { decision: "ask" }, before: { decision: "ask" }, after: { decision: "deny" } },
    ],
  });
  expect(preview.body.diff).toContain("+policy:");
  expect((await api.put("/rules", { rules })).status).toBe(428);
  expect((await api.put("/rules", { rules }, { "if-match": '"old"' })).status).toBe(412);
  const version = { "if-match": headers.get("etag") ?? "" };
  const changed = await api.put("/rules", { rules }, version);
  expect(changed.body).toMatchObject({ rules, isInEffect: true });
  expect((await api.put("/rules", { rules }, version)).status).toBe(412);
  const text = await readFile(join(api.folder, "bridle.yaml"), "utf8");
  expect(text).toContain("desk-model");
  const enabling = await api.put("/rules", { rules: { rules: [] } }, { "if-match": "*" });
  expect(enabling.status).toBe(422);
  expect(enabling.body.detail).toContain("read_result is disabled");
  expect(await readFile(join(api.folder, "bridle.yaml"), "utf8")).toBe(text);
});

test("an artifact is a text that runs nowhere, and a bundle is an archive", async () => {
  const api = await startApi();
  const { runId } = await api.run("one", "Hi.");
  const replay = await api.get(`/runs/${runId}/replay`);
  expect(replay.body).toMatchObject({ run: runId, firstSeq: 1, steps: [{ index: 1 }], inputs: [{ turn: 1 }] });
  const [{ artifact }] = replay.body.inputs;
  const content = await api.get(`/artifacts/${artifact}`);
  expect(JSON.parse(content.body).system.static).toBe("Be kind.");
  expect(content.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(content.headers.get("content-security-policy")).toContain("sandbox");
  expect(content.headers.get("cache-control")).toContain("immutable");
  const context = await api.get("/sessions/one/context");
  expect(context.body.parts.map(({ kind }: { kind: string }) => kind)).toEqual(
    expect.arrayContaining(["instructions", "tool", "prompt", "answer"]),
  );
  const parts: readonly { tokens: number }[] = context.body.parts;
  expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(context.body.tokens);
  const bundle = await api.server.fetch(`/api/v1/runs/${runId}/bundle`);
  expect(bundle.headers.get("content-type")).toBe("application/gzip");
  const bytes = new Uint8Array(await bundle.arrayBuffer());
  expect([...bytes.slice(0, 2)]).toEqual([0x1f, 0x8b]);
});

test("documents are indexed, searched and read in passages", async () => {
  const api = await startApi({}, await createFolder(files));
  expect((await api.get("/documents?agent=agent")).body.documents).toMatchObject([{ tool: "handbook", index: null }]);
  const indexed = await api.post("/documents/index", { agent: "agent" });
  expect(indexed.body.documents).toMatchObject([{ tool: "handbook", added: ["docs/returns.md"] }]);
  const found = await api.get("/documents/search?agent=agent&query=walnut");
  const [hit] = found.body.documents[0].hits;
  expect(hit).toMatchObject({ file: "docs/returns.md", headings: ["Returns"] });
  const chunks = await api.get(`/documents/handbook/chunks?agent=agent&file=${hit.file}`);
  expect(chunks.body.chunks).toMatchObject([{ text: hit.text }]);
  expect((await api.get("/documents/handbook/chunks?agent=agent&file=other.md")).status).toBe(404);
});

test("tests of an agent run in the server, with their progress, and are compared", async () => {
  const api = await startApi({}, await createFolder(files));
  const first = await api.post("/tests/runs", { agent: "agent" });
  expect(first).toMatchObject({ status: 202, body: { rehearsed: true } });
  const progress = await api.get(`/tests/runs/${first.body.id}/events`);
  expect(progress.body).toMatch(/^retry: 1000\nevent: run\n/);
  expect(progress.body).toContain('event: bye\ndata: {"reason":"ended"}');
  expect((await api.get(`/tests/runs/${first.body.id}`)).body).toMatchObject({
    state: "finished",
    cases: [{ name: "greets" }],
  });
  const overview = await api.get(`/tests/runs/${first.body.id}/overview`);
  const [listed] = overview.body.cases;
  expect(listed).toMatchObject({ name: "greets", trials: [{ trial: 1 }] });
  expect(Object.keys(listed.trials[0]).toSorted()).toEqual(["durationMs", "outcome", "trial"]);
  const read = await api.get(`/tests/runs/${first.body.id}/case?name=greets`);
  expect(read.body.trials[0].turns).toHaveLength(1);
  expect(await api.get(`/tests/runs/${first.body.id}/case?name=greet`)).toMatchObject({
    status: 404,
    body: { code: "no-such-case", detail: expect.stringContaining("greets") },
  });
  const news = await api.get(`/tests/runs/${first.body.id}/events?overview=1`);
  expect(news.body).toMatch(/^retry: 1000\nevent: run\n/);
  expect(news.body).not.toContain('"turns"');
  const second = await api.post("/tests/runs", { agent: "agent", cases: ["greets"] });
  await api.get(`/tests/runs/${second.body.id}/events`);
  const compared = await api.get(`/tests/compare?a=${first.body.id}&b=${second.body.id}`);
  expect(compared.body).toMatchObject({ before: { id: first.body.id }, after: { id: second.body.id } });
  const page = await api.get("/tests/runs?limit=1");
  expect(page.body.runs).toMatchObject([{ id: second.body.id }]);
  expect((await api.get(`/tests/runs?cursor=${page.body.next}`)).body.runs).toMatchObject([{ id: first.body.id }]);
  expect((await api.post(`/tests/runs/${first.body.id}/stop`)).status).toBe(409);
  for (const path of ["/etc/passwd", "../x.jsonl"]) {
    expect((await api.get(`/tests/compare?a=${encodeURIComponent(path)}&b=newest`)).status).toBe(422);
  }
});
