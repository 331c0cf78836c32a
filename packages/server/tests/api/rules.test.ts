import { expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { startApi, untilAsked } from "../support/start-api.ts";

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
