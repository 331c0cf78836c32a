import { expect, test, vi } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { startApi } from "../support/start-api.ts";

const files = {
  ...deskFiles,
  "agent.yaml": `${deskFiles["agent.yaml"]?.replace("policy:", "  - { type: documents, name: handbook, description: The handbook., source: docs }\npolicy:")}test_cases:
  - { name: greets, input: Hi., ground_truth: Hello from the desk. }
  - { name: again, input: Hi., ground_truth: Hello from the desk. }
`,
  "docs/returns.md": "# Returns\n\nA walnut desk can be returned within thirty days.\n",
};
const key = { "idempotency-key": "key-1" };

test("repeated requests with one Idempotency-Key begin one test run, and another body is refused", async () => {
  const api = await startApi({}, await createFolder(files));
  const send = (cases: readonly string[]) => api.post("/tests/runs", { agent: "agent", cases }, key);
  const [first, second] = await Promise.all([send(["greets"]), send(["greets"])]);
  await api.get(`/tests/runs/${first?.body.id}/events`);
  const third = await send(["greets"]); // the first test run has ended
  expect([first?.status, second?.body.id, third.body.id]).toEqual([202, first?.body.id, first?.body.id]);
  expect((await api.get("/tests/runs")).body.runs).toHaveLength(1);
  expect((await send(["again"])).status).toBe(422);
});

test("repeated requests with one Idempotency-Key compact a session once, and another body is refused", async () => {
  const api = await startApi();
  await api.run("one", "Hi.");
  const compact = vi.spyOn(api.workspace.runs, "compact");
  const send = (strategy: string) => api.post("/sessions/one/compact", { strategy }, key);
  const replies = [...(await Promise.all([send("drop-tool-results"), send("drop-tool-results")]))];
  replies.push(await send("drop-tool-results"));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(compact).toHaveBeenCalledTimes(1);
  expect((await send("summarise")).status).toBe(422);
});

test("repeated requests with one Idempotency-Key index documents once, and another body is refused", async () => {
  const api = await startApi({}, await createFolder(files));
  const send = (rebuild: boolean) => api.post("/documents/index", { agent: "agent", rebuild }, key);
  const [first, second] = await Promise.all([send(false), send(false)]);
  const third = await send(false);
  expect(first?.body.documents).toMatchObject([{ added: ["docs/returns.md"] }]);
  expect([second?.body, third.body]).toEqual([first?.body, first?.body]); // indexing a second time would have added nothing
  expect((await send(true)).status).toBe(422);
});
