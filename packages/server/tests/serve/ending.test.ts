import { expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { connectOverHttp } from "../../../mcp-server/tests/client-for-tests.ts";
import { readUntil } from "../support/read-stream.ts";
import { serveDesk } from "../support/serve-desk.ts";

type Desk = Awaited<ReturnType<typeof serveDesk>>;

const post = async ({ send }: Desk, path: string, json: unknown) => {
  const response = await send(`/api/v1${path}`, { method: "POST", json });
  return { status: response.status, body: JSON.parse(await response.text()) };
};
const get = async ({ send }: Desk, path: string) => {
  const response = await send(`/api/v1${path}`);
  return { status: response.status, body: JSON.parse(await response.text()) };
};

/** Starts a run of the session that asks a question. */
async function ask(desk: Desk, session: string) {
  const { body } = await post(desk, `/sessions/${session}/runs`, { prompt: "Where is my order?" });
  const stream = await desk.send(`/api/v1/sessions/${session}/events`, { headers: { accept: "text/event-stream" } });
  await readUntil(stream, ({ event }) => event === "approval.requested");
  return body.runId as string;
}

test("a server that ends says bye to twenty streams, and answers questions, stops runs and reads until its runs have ended", async () => {
  const desk = await serveDesk({ agents: ["agent.yaml"], graceMs: 600_000 });
  const [asked, stopped] = [await ask(desk, "asked"), await ask(desk, "stopped")];
  const streams = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      desk.send(index % 2 === 0 ? "/api/v1/stream?topics=approvals,runs" : "/api/v1/sessions/asked/events", {
        headers: { accept: "text/event-stream" },
      }),
    ),
  );
  const ended = desk.end();
  for (const stream of streams) {
    const [last] = (await readUntil(stream, () => false)).slice(-1);
    expect(last).toMatchObject({ event: "bye", data: '{"reason":"shutdown"}' });
  }
  const refused = await post(desk, "/sessions/new/runs", { prompt: "Hi." });
  expect(refused).toMatchObject({ status: 503, body: { code: "shutting-down" } });
  expect((await get(desk, "/status")).status).toBe(200);
  expect((await post(desk, `/runs/${stopped}/stop`, {})).status).toBe(202);
  const [{ id, inputHash }] = (await get(desk, "/approvals?session=asked")).body.approvals;
  const answered = await post(desk, `/approvals/${id}/answer`, { inputHash, decision: "allow" });
  expect(answered).toMatchObject({ status: 200, body: { outcome: "delivered" } });
  await ended; // long before the grace period is over
  const next = await serveDesk({ agents: ["agent.yaml"] }, "", desk.cwd);
  expect((await get(next, `/runs/${asked}`)).body).toMatchObject({ stopReason: "natural" });
  expect((await get(next, `/runs/${stopped}`)).body).toMatchObject({ stopReason: "stopped" });
});

test("a call of an MCP client has the time of the runs when the server ends", async () => {
  const desk = await serveDesk({ agents: ["agent.yaml"], graceMs: 600_000 }, "serve: { protocols: [mcp] }\n");
  const client = await connectOverHttp(`${desk.url}/mcp`, desk.token);
  const isAsked = Promise.withResolvers<void>();
  const answered = client.callTool(
    { name: "ask_agent", arguments: { message: "Where is my order?" } },
    { onprogress: ({ message }) => void (message?.includes("approvals answer") && isAsked.resolve()) },
  );
  await isAsked.promise;
  const ended = desk.end();
  const [{ id, inputHash }] = (await get(desk, "/approvals")).body.approvals;
  await post(desk, `/approvals/${id}/answer`, { inputHash, decision: "allow" });
  expect(JSON.stringify((await answered).content)).toContain("It is on its way.");
  await ended;
});

test("a server that ends stops the tests of agents that take too long, and keeps what they have", async () => {
  const folder = await createFolder({
    ...deskFiles,
    "agent.yaml": `${deskFiles["agent.yaml"]}test_cases: [{ name: waits, input: Be slow., ground_truth: Late. }]
`,
  });
  const desk = await serveDesk({ agents: ["agent.yaml"], graceMs: 50 }, "", folder);
  const { body, status } = await post(desk, "/tests/runs", { agent: "agent" });
  expect([status, body.id]).toEqual([202, expect.any(String)]);
  await desk.end();
  const next = await serveDesk({ agents: ["agent.yaml"] }, "", folder);
  expect((await get(next, `/tests/runs/${body.id}`)).body.state).toBe("unfinished");
});
