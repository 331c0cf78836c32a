import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { startApi, type TestApi, untilAsked } from "../support/start-api.ts";

test("a preview with conditions that would take years is refused soon, and others are answered meanwhile", async () => {
  const script = deskFiles["script.yaml"]?.replace('{ id: "7" }', `{ id: "${"a".repeat(60)}!" }`) ?? "";
  const api = await startApi({}, await createFolder({ ...deskFiles, "script.yaml": script }));
  const started = await api.post("/sessions/one/runs", { prompt: "Where is my order?" });
  await untilAsked(started.body.runId, api.workspace.eventLog);
  const condition = { tool: "lookup", when: { id: "^(a+)+$" }, then: "deny" };
  const refused = await api.post("/rules/preview", { rules: { rules: Array.from({ length: 500 }, () => condition) } });
  expect(refused).toMatchObject({ status: 422, body: { code: "config", field: "policy.rules" } });
  expect(refused.body.detail).toContain("take too long on the input of a call of lookup");
  expect((await api.get("/status")).status).toBe(200);
});

test("a preview needs the role operator", async () => {
  const { server } = await startApi();
  const headers = { authorization: `Bearer ${server.viewerToken}` };
  const response = await server.fetch("/api/v1/rules/preview", { method: "POST", json: { rules: {} }, headers });
  expect(response.status).toBe(403);
});

const order = "Where is my order?";
const denied = { rules: [{ tool: "lookup", then: "deny" }] };

/** Reads the decisions on a run's calls. */
async function decisionsOf(api: TestApi, runId: string) {
  const { body } = await api.get(`/runs/${runId}/replay`);
  return body.decisions.map(({ decision, rule }: { decision: string; rule: string }) => `${decision} by ${rule}`);
}

test("a rule that is saved decides about the next run, and no longer once it is taken out again", async () => {
  const own = { "agent.yaml": `${deskFiles["agent.yaml"]?.replace(/^policy: .*$/m, "")}` };
  const api = await startApi({}, await createFolder({ ...deskFiles, ...own }));
  const written = await readFile(join(api.folder, "bridle.yaml"), "utf8");
  const before = await api.run("one", order);
  expect(await decisionsOf(api, before.runId)).toEqual(["allow by allow-all"]);
  await api.put("/rules", { rules: denied }, { "if-match": "*" });
  const meanwhile = await api.run("one", order);
  expect(await decisionsOf(api, meanwhile.runId)).toEqual(["deny by rules[0] lookup"]);
  const without = await api.put("/rules", { rules: null }, { "if-match": "*" });
  expect(without.body).toMatchObject({ rules: null, order: [], isInEffect: true });
  const after = await api.run("one", order);
  expect(await decisionsOf(api, after.runId)).toEqual(["allow by allow-all"]);
  expect(await readFile(join(api.folder, "bridle.yaml"), "utf8")).toBe(written);
});

test("rules about a tool that an agent does not have are refused with the nearest name, and nothing is written", async () => {
  const api = await startApi();
  const written = await readFile(join(api.folder, "bridle.yaml"), "utf8");
  for (const rules of [{ rules: [{ tool: "lookupp", then: "deny" }] }, { disable: ["lookupp"] }]) {
    const refused = await api.put("/rules", { rules }, { "if-match": "*" });
    expect(refused).toMatchObject({ status: 422, body: { code: "config" } });
    expect(refused.body.detail).toMatch(
      /^(rule 1|entry 1 of disable) names the tool "lookupp", which does not exist\. Did you mean "?lookup/,
    );
  }
  expect(await readFile(join(api.folder, "bridle.yaml"), "utf8")).toBe(written);
});

test("rules about a tool that one of several agents has are saved, and so are those that remove one of two mistakes", async () => {
  const other = {
    "agents/other.yaml": deskFiles["agent.yaml"]?.replace("name: desk", "name: other").replaceAll("lookup", "find"),
  };
  const files = { ...deskFiles, ...other, "agents/tools.mjs": "export function find() { return 1; }\n" };
  const api = await startApi({}, await createFolder(files as Record<string, string>));
  const saved = await api.put("/rules", { rules: { rules: [{ tool: "find", then: "deny" }] } }, { "if-match": "*" });
  expect(saved.status).toBe(200);
  const mistakes = "policy: { rules: [{ tool: gone, then: deny }, { tool: away, then: deny }] }\n";
  const wrong = await startApi(
    {},
    await createFolder({ ...deskFiles, "bridle.yaml": `${deskFiles["bridle.yaml"]}${mistakes}` }),
  );
  const fewer = await wrong.put("/rules", { rules: { rules: [{ tool: "away", then: "deny" }] } }, { "if-match": "*" });
  expect(fewer.status).toBe(200);
});

test("a change of the file while rules are checked is not lost", async () => {
  const api = await startApi();
  const etag = (await api.get("/rules")).headers.get("etag");
  const file = join(api.folder, "bridle.yaml");
  const [saved] = await Promise.all([
    api.put("/rules", { rules: denied }, { "if-match": `${etag}` }),
    setTimeout(5).then(() => writeFile(file, `${deskFiles["bridle.yaml"]}# mine\n`)),
  ]);
  expect([saved.status === 412, (await readFile(file, "utf8")).includes("# mine")]).toEqual([true, true]);
});

test("rules that let calls run without a question, and those of another hand, wait for the next start", async () => {
  const api = await startApi();
  const allowed = { rules: [{ tool: "lookup", then: "allow" }] };
  const saved = await api.put("/rules", { rules: allowed }, { "if-match": "*" });
  expect(saved.body).toMatchObject({ rules: allowed, isInEffect: false });
  await writeFile(join(api.folder, "bridle.yaml"), `${deskFiles["bridle.yaml"]}policy: { mode: read-only }\n`);
  expect((await api.get("/rules")).body).toMatchObject({ rules: { mode: "read-only" }, isInEffect: false });
  const { workspace } = api;
  expect(workspace.context.project.settings.policy).toBeUndefined();
});

/** A second agent, which lacks the tool of the first, and an agent without tools. */
const clerk = deskFiles["agent.yaml"]?.replace("name: desk", "name: clerk").replaceAll("lookup", "refund") ?? "";
const talker = "name: talker\ninstructions: { inline: Be kind. }\nmodel: { provider: openai, name: desk-model }\n";
const severalAgents = {
  ...deskFiles,
  "agents/clerk.yaml": clerk,
  "agents/talker.yaml": talker,
  "agents/tools.mjs": "export function refund() { return 1; }\n",
} as Record<string, string>;

test("a rule about a tool of one agent stops no run of another", async () => {
  const rules = "policy: { rules: [{ tool: lookup, then: deny }], disable: [refund] }\n";
  const files = { ...severalAgents, "bridle.yaml": `${deskFiles["bridle.yaml"]}${rules}` };
  const api = await startApi({}, await createFolder(files));
  for (const agent of ["agent", "clerk", "talker"]) {
    const { status } = await api.post(`/sessions/${agent}/runs`, { agent, prompt: "Good day." });
    expect([agent, status]).toEqual([agent, 202]);
  }
});

test("a misspelt tool is refused although an agent without tools could run, and names the nearest tool of all agents", async () => {
  const api = await startApi({}, await createFolder(severalAgents));
  const refused = await api.put("/rules", { rules: { disable: ["refnud"] } }, { "if-match": "*" });
  expect(refused).toMatchObject({ status: 422, body: { code: "config", field: "policy.disable.0" } });
  expect(refused.body.detail).toContain(
    'entry 1 of disable names the tool "refnud", which does not exist. Did you mean',
  );
});

test("a preview refuses an unknown tool, and counts rules from 1", async () => {
  const api = await startApi({}, await createFolder(severalAgents));
  const rules = {
    rules: [
      { tool: "lookup", then: "deny" },
      { tool: "refnud", then: "deny" },
    ],
  };
  const refused = await api.post("/rules/preview", { rules });
  expect(refused).toMatchObject({ status: 422, body: { code: "config", field: "policy.rules.1.tool" } });
  expect(refused.body.detail).toContain('rule 2 names the tool "refnud"');
});

test("GET /rules warns about a misspelt name in the file, and PUT /rules takes it out again", async () => {
  const files = { ...severalAgents, "bridle.yaml": `${deskFiles["bridle.yaml"]}policy: { disable: [refnud] }\n` };
  const api = await startApi({}, await createFolder(files));
  expect((await api.post("/sessions/one/runs", { agent: "agent", prompt: "Good day." })).status).toBe(422);
  const { body, headers } = await api.get("/rules");
  expect(body.warnings).toEqual([expect.stringContaining('names the tool "refnud", which does not exist')]);
  const mended = await api.put("/rules", { rules: { disable: [] } }, { "if-match": `${headers.get("etag")}` });
  expect(mended).toMatchObject({ status: 200, body: { warnings: [], isInEffect: true } });
  expect((await api.post("/sessions/two/runs", { agent: "agent", prompt: "Good day." })).status).toBe(202);
});

test("a real tool stays disabled over HTTP", async () => {
  const files = { ...severalAgents, "bridle.yaml": `${deskFiles["bridle.yaml"]}policy: { disable: [refund] }\n` };
  const api = await startApi({}, await createFolder(files));
  const refused = await api.put("/rules", { rules: { disable: [] } }, { "if-match": "*" });
  expect(refused.body.detail).toContain("The tool refund is disabled in bridle.yaml, and this would enable it.");
});
