import { expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { serveDesk } from "../support/serve-desk.ts";

interface Told {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Restarts a server after it has asked a question. */
async function restart() {
  const cwd = await createFolder(deskFiles);
  const begin = () => serveDesk({ agents: ["agent.yaml"], graceMs: 20 }, "serve: { protocols: [ag-ui] }\n", cwd);
  const first = await begin();
  await tell(first, {});
  await first.end();
  const second = await begin();
  const read = async (path: string) => JSON.parse(await (await second.send(`/api/v1${path}`)).text());
  const { approvals } = await read("/approvals");
  expect(approvals).toMatchObject([{ tool: "lookup", alive: false, session: "trip" }]);
  const [{ id, inputHash }] = approvals;
  const resume = [{ interruptId: id, status: "resolved", payload: { approved: true } }];
  const answer = (scope: string) =>
    second.send(`/api/v1/approvals/${id}/answer`, { method: "POST", json: { decision: "allow", scope, inputHash } });
  const begun = async () => (await read("/sessions/trip/events")).events.filter(isStart).length;
  const run = (prompt: string) =>
    second.send("/api/v1/sessions/trip/runs", { method: "POST", json: { prompt } }).then(({ status }) => status);
  return {
    read,
    answer,
    begun,
    run,
    resume: () => tell(second, { resume }),
    resumeStatus: () => post(second, { resume }),
  };
}

const isStart = ({ type }: Told) => type === "run.started";

function post({ send }: Awaited<ReturnType<typeof serveDesk>>, more: object): Promise<Response> {
  const messages = [{ id: "u", role: "user", content: "Where is my order?" }];
  return send("/ag-ui/agents/agent", { method: "POST", json: { threadId: "trip", runId: "r", messages, ...more } });
}

async function tell(server: Awaited<ReturnType<typeof serveDesk>>, more: object): Promise<Told[]> {
  const text = await (await post(server, more)).text();
  return text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
}

const isAnswered = (told: readonly Told[]) => {
  expect(told.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
  expect(JSON.stringify(told)).toContain('"decision":"allow"');
};

test("a question of a server that ended is answered natively, and the next run of its session uses the answer", async () => {
  const { read, answer, run } = await restart();
  expect(await (await answer("session")).json()).toMatchObject({ accepted: true, outcome: "stored" });
  expect(await run("Where is my order?")).toBe(202);
  const events = async (): Promise<Told[]> => (await read("/sessions/trip/events")).events;
  await expect.poll(async () => (await events()).filter(({ type }) => type === "run.finished")).toHaveLength(2);
  const all = await events();
  expect(all.filter(({ type }) => type === "approval.requested")).toHaveLength(1);
  expect(all.findLast(({ type }) => type === "tool.finished")).toMatchObject({
    ok: true,
    output: "Order 7 is on its way.",
  });
  expect(all.at(-1)).toMatchObject({ result: { stopReason: "natural" } });
});

test("an AG-UI client resumes a question of a server that ended, and the same answers again lead to the same run", async () => {
  const { resume, begun } = await restart();
  const [told, atOnce] = await Promise.all([resume(), resume()]);
  isAnswered(told);
  expect(atOnce).toEqual(told);
  expect(await resume()).toEqual(told);
  expect(await begun()).toBe(2);
});

test("an AG-UI client that resumes a question that was answered natively after a restart gets the run that uses the answer", async () => {
  const { answer, resume, begun } = await restart();
  await answer("once");
  isAnswered(await resume());
  expect(await begun()).toBe(2);
});

test("a question of a server that ended is closed if its session goes on without an answer", async () => {
  const { read, run, resumeStatus } = await restart();
  await run("Hi.");
  await expect.poll(async () => (await read("/sessions/trip/events")).events.filter(isStart)).toHaveLength(2);
  const refused = await resumeStatus();
  expect([refused.status, JSON.parse(await refused.text()).code]).toEqual([409, "approval-settled"]);
});
