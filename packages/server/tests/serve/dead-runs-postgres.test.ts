import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { PostgresCluster, skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { startServedProcess } from "../support/served-process.ts";

let cluster: PostgresCluster;

type Served = Awaited<ReturnType<typeof startServedProcess>>;

/** Starts two servers for one project, whose event log is in this schema. */
async function serveTwice(schema: string): Promise<[killed: Served, other: Served]> {
  const eventLog = `eventLog: { type: postgres, url: "${cluster.url}", schema: ${schema} }\n`;
  const cwd = await createFolder({ ...deskFiles, "bridle.yaml": `${deskFiles["bridle.yaml"]}${eventLog}` });
  return [await startServedProcess(cwd), await startServedProcess(cwd)];
}

async function send({ url, token }: Served, path: string, json?: object) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = json === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(json) };
  return JSON.parse(await (await fetch(`${url}/api/v1${path}`, init)).text());
}

/** Waits for the open question of a session, as a server lists it. */
async function untilAsked(server: Served, session: string): Promise<{ id: string; inputHash: string; alive: boolean }> {
  const find = async () => {
    const { approvals } = await send(server, "/approvals");
    return approvals.find((each: { session: string }) => each.session === session);
  };
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  return find();
}

describe.skipIf(skipsPostgres)("two servers on one PostgreSQL (needs Debian's package postgresql)", () => {
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
  });
  afterAll(() => cluster?.remove());

  test.each([
    ["the run is read", "read_run", (runId: string) => `/runs/${runId}`],
    ["its events are read", "read_events", () => "/sessions/one/events?limit=1000"],
  ])(
    "the end of a run whose server was killed shows within 20 s if only %s",
    { timeout: 240_000 },
    async (_, schema, pathOf) => {
      const [killed, other] = await serveTwice(schema);
      const { runId } = await send(killed, "/sessions/one/runs", { prompt: "slow" });
      await expect.poll(async () => (await send(other, `/runs/${runId}`)).id, { timeout: 30_000 }).toBe(runId);
      await killed.kill();
      await expect
        .poll(async () => JSON.stringify(await send(other, pathOf(runId))), { timeout: 20_000, interval: 500 })
        .toMatch(/process_died|process that/);
    },
  );

  test("an answer through another server is delivered to a run that takes it, pending if its server has just died, then kept", {
    timeout: 240_000,
  }, async () => {
    const [asking, other] = await serveTwice("answers");
    const answer = async (session: string) => {
      const { id, inputHash } = await untilAsked(other, session);
      return send(other, `/approvals/${id}/answer`, { decision: "allow", inputHash });
    };
    for (const session of ["taken", "dying", "dead"]) {
      await send(asking, `/sessions/${session}/runs`, { prompt: "Where is my order?" });
      await untilAsked(other, session);
    }
    expect(await answer("taken")).toMatchObject({ accepted: true, outcome: "delivered" });
    await asking.kill();
    expect(await answer("dying")).toMatchObject({ accepted: true, outcome: "pending" });
    await expect.poll(async () => (await untilAsked(other, "dead")).alive, { timeout: 30_000 }).toBe(false);
    const kept = await answer("dead");
    expect(kept).toMatchObject({ accepted: true, outcome: "stored" });
    expect(kept.message).toMatch(/^Nobody waits for it/);
  });
});
