import { expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { startApi, type TestApi, untilAsked, untilEnd } from "../support/start-api.ts";

async function ask(api: TestApi, session = "one") {
  const { body } = await api.post(`/sessions/${session}/runs`, { prompt: "Where is my order?" });
  const asked = await untilAsked(body.runId, api.workspace.eventLog);
  return { ...asked, path: `/approvals/${asked.approvalId}` };
}

test("a question is listed, read and answered with another input, and the answer says by whom", async () => {
  const api = await startApi();
  const { runId, path, approvalId, inputHash } = await ask(api);
  expect((await api.get("/approvals")).body).toMatchObject({
    approvals: [{ id: approvalId, tool: "lookup", input: { id: "7" }, alive: true, session: "one" }],
    decided: [],
  });
  expect((await api.get(path)).body).toMatchObject({ id: approvalId, inputHash });
  const answered = await api.post(`${path}/answer`, { inputHash, decision: "allow", input: { id: "8" } });
  expect(answered).toMatchObject({ status: 200, body: { accepted: true, outcome: "delivered" } });
  await untilEnd(runId, api.workspace.eventLog);
  const { body } = await api.get("/approvals?state=all&session=one");
  expect(body).toMatchObject({
    approvals: [],
    decided: [{ id: approvalId, decision: "allow", by: "tests (127.0.0.1)" }],
  });
  const { entries } = (await api.get("/sessions/one/transcript")).body;
  expect(entries).toMatchObject([
    { kind: "user" },
    {
      kind: "tool",
      edited: { id: "8" },
      output: expect.stringContaining("Order 8 is on its way."),
      state: "succeeded",
      approvalId,
    },
    { kind: "text", text: "It is on its way." },
  ]);
});

test("of three racing answers one counts, and the others get 409", async () => {
  const api = await startApi();
  const { path, inputHash, runId } = await ask(api);
  const answers = ["allow", "deny", "allow"].map((decision) => api.post(`${path}/answer`, { inputHash, decision }));
  const replies = await Promise.all(answers);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const refused = replies.filter(({ status }) => status === 409);
  expect(refused.map(({ body }) => body.code)).toEqual(["approval-settled", "approval-settled"]);
  await untilEnd(runId, api.workspace.eventLog);
  expect(await api.get(path)).toMatchObject({ status: 409, body: { code: "approval-settled" } });
});

test("S15: a viewer reads a question and cannot answer it, and an answer says whose token and address it came from", async () => {
  const api = await startApi();
  const { path, inputHash, runId } = await ask(api);
  const { viewerToken } = api.server;
  const authorization = `Bearer ${viewerToken}`;
  expect((await api.get(path, { headers: { authorization } })).body).toMatchObject({ inputHash });
  const answer = { inputHash, decision: "allow" };
  const refused = await api.post(`${path}/answer`, answer, { authorization });
  expect(refused).toMatchObject({ status: 403, body: { code: "operator-only" } });
  const forged = await api.post(`${path}/answer`, { ...answer, by: "somebody else" });
  expect(forged).toMatchObject({ status: 422, body: { errors: [{ pointer: "/by" }] } });
  expect((await api.get(path)).status).toBe(200); // the question is still open
  await api.post(`${path}/answer`, answer);
  await untilEnd(runId, api.workspace.eventLog);
  const decided = await api.workspace.eventLog.read({ runId });
  expect(decided.find(({ type }) => type === "approval.decided")).toMatchObject({ by: "tests (127.0.0.1)" });
});

test("an answer to another input than the one that is asked about is refused, and the question stays open", async () => {
  const api = await startApi();
  const { path, inputHash } = await ask(api);
  const wrong = await api.post(`${path}/answer`, { inputHash: "other", decision: "allow" });
  expect(wrong).toMatchObject({ status: 409, body: { code: "input-changed", inputHash } });
  const without = await api.post(`${path}/answer`, { decision: "allow" });
  expect(without).toMatchObject({ status: 422, body: { errors: [{ pointer: "/inputHash" }] } });
  expect((await api.get("/approvals")).body.approvals).toHaveLength(1);
  expect(await api.get("/approvals/approval_none")).toMatchObject({ status: 404, body: { code: "no-such-approval" } });
});

test("a denial that ends the run reaches it, with the message for the model on record", async () => {
  const api = await startApi();
  const { path, inputHash, runId } = await ask(api);
  await api.post(`${path}/answer`, { inputHash, decision: "deny-and-stop", message: "Not today." });
  await untilEnd(runId, api.workspace.eventLog);
  expect((await api.get(`/runs/${runId}`)).body.stopReason).toBe("stopped");
  expect((await api.get("/approvals?state=decided")).body.decided).toMatchObject([{ message: "Not today." }]);
});

test("an answer for the project is remembered, listed, and taken back", async () => {
  const api = await startApi();
  const { path, inputHash, runId } = await ask(api);
  await api.post(`${path}/answer`, { inputHash, decision: "allow", scope: "project", when: { id: "^7$" } });
  await untilEnd(runId, api.workspace.eventLog);
  await api.run("two", "Where is my order?"); // asks no question this time
  const { permissions } = (await api.get("/permissions")).body;
  expect(permissions).toMatchObject([
    { tool: "lookup", decision: "allow", when: { id: "^7$" }, by: "tests (127.0.0.1)" },
  ]);
  expect((await api.remove(`/permissions/${permissions[0].id}`)).status).toBe(200);
  expect((await api.get("/permissions")).body.permissions).toEqual([]);
  expect(await api.remove("/permissions/nothing")).toMatchObject({ status: 404 });
});

/** The files of the desk, with an agent `boss` that calls the desk's agent. */
const bossFiles = {
  ...deskFiles,
  "boss.yaml": `name: boss
description: Calls the desk.
instructions: { inline: You are boss. }
model: { provider: openai, name: desk-model }
tools: [{ type: agent, name: desk, file: agent.yaml }]
policy: { rules: [{ tool: desk, then: allow }, { tool: lookup, then: allow }] }
`,
  "script.yaml": `rehearsal: 1
turns:
  - when: { system: You are boss. }
    steps: [{ call: desk, with: { task: Where is my order? } }, { say: "{{ desk.result }}" }]
  - steps: [{ call: lookup, with: { id: "7" } }, { say: It is on its way. }]
`,
};

test("a question of a nested run is listed and answered once, and both sessions show it", async () => {
  const api = await startApi({ agents: ["boss.yaml"] }, await createFolder(bossFiles));
  const { eventLog } = api.workspace;
  const { body } = await api.post("/sessions/outer/runs", { prompt: "Where is my order?" });
  const copy = await untilAsked(body.runId, eventLog);
  const path = `/approvals/${copy.approvalId}`;
  const { approvals } = (await api.get("/approvals")).body;
  expect(approvals).toMatchObject([{ id: copy.approvalId, tool: "lookup", session: copy.nested?.sessionId }]);
  const { inputHash } = (await api.get(path)).body;
  const answer = { inputHash, decision: "allow", input: { id: "8" } };
  expect((await api.post(`${path}/answer`, answer)).status).toBe(200);
  expect((await api.post(`${path}/answer`, answer)).status).toBe(409);
  await untilEnd(body.runId, eventLog);
  const { approvals: open, decided } = (await api.get("/approvals?state=all")).body;
  expect(open).toEqual([]);
  expect(decided).toMatchObject([{ id: copy.approvalId, session: copy.nested?.sessionId, decision: "allow" }]);
  const toolOf = async (session = "") =>
    (await api.get(`/sessions/${session}/transcript`)).body.entries.find(
      ({ kind }: { kind: string }) => kind === "tool",
    );
  expect(await toolOf(copy.nested?.sessionId)).toMatchObject({
    tool: "lookup",
    edited: { id: "8" },
    state: "succeeded",
  });
  const call = await toolOf("outer");
  expect(call).toMatchObject({ tool: "desk", state: "succeeded", nested: [{ sessionId: copy.nested?.sessionId }] });
  expect(call).not.toHaveProperty("edited");
});
