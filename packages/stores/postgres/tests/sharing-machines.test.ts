import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunEvent } from "@bridle/protocol";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { openPostgresEventLog } from "../src/index.ts";
import { isGapless } from "./log-drafts.ts";
import { startLogProgramAt } from "./log-programs.ts";
import { PostgresCluster, skipsPostgres } from "./postgres-cluster.ts";

/** How long the processes run; `npm run soak` sets more seconds. */
const seconds = process.env.SOAK_SECONDS ?? "2";
const timeout = Number(seconds) * 2000 + 60_000;
const [sessions, schema] = ["3", "machines"];

const workSchema = z.object({ runs: z.array(z.string()), answered: z.array(z.string()), times: z.array(z.number()) });
type Work = z.infer<typeof workSchema> & { readonly name: string };

describe.skipIf(skipsPostgres)(
  "machines that share a database in PostgreSQL (needs Debian's package postgresql)",
  () => {
    let cluster: PostgresCluster;
    beforeAll(async () => {
      cluster = await PostgresCluster.create();
    });
    afterAll(() => cluster?.remove());

    test("the processes of two machines share sessions, questions and used-up windows, and nothing is lost, doubled or reordered", {
      timeout,
    }, async () => {
      const work = (await Promise.all(["one", "two"].map((machine) => workOf(cluster.url, machine)))).flat();
      const eventLog = await openPostgresEventLog({ url: cluster.url, schema });
      onTestFinished(() => eventLog.close());
      const streams = await Promise.all((await eventLog.sessions()).map((session) => eventLog.read(session)));
      for (const events of streams) expectOneAfterAnother(events);
      const ended = streams.flat().filter(({ type }) => type === "run.finished");
      expect(ended.map(({ runId }) => runId).sort()).toEqual(work.flatMap(({ runs }) => runs).sort());
      const decided = streams.flat().flatMap((event) => (event.type === "approval.decided" ? [event] : []));
      const byId = decided.flatMap(({ approvalId, by }) => (by === undefined ? [] : [`${approvalId} by ${by}`]));
      const accepted = work.flatMap(({ name, answered }) => answered.map((id) => `${id} by ${name}`));
      expect(byId.toSorted()).toEqual(accepted.toSorted());
      expect(accepted.length).toBeGreaterThan(0);
      expect(await eventLog.approvals.open()).toEqual([]);
      const times = work.flatMap((each) => each.times).sort((a, b) => a - b);
      expect(times).toEqual(times.map((_, index) => index + 1));
      expect((await eventLog.limits.read("account"))?.resetsAt).toBe(times.length);
      console.log(
        `${work.length} processes, ${seconds} s: ${ended.length} runs, ${accepted.length} answered questions, ${times.length} changes of a window`,
      );
    });
  },
);

/**
 * Starts four processes of one machine, which share nothing with those of the other machine except the database, and returns their work.
 */
async function workOf(url: string, machine: string): Promise<readonly Work[]> {
  const folder = mkdtempSync(join(tmpdir(), `bridle-machine-${machine}-`));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const place = { cwd: folder, env: { PATH, NODE_COMPILE_CACHE, HOME: folder, TMPDIR: folder } };
  const names = ["a", "b", "c", "d"].map((process) => `${machine}-${process}`);
  return Promise.all(
    names.map(async (name) => {
      const program = startLogProgramAt(place, "sharing-log-writer.ts", url, schema, name, sessions, seconds);
      return { name, ...workSchema.parse(JSON.parse(await program.output)) };
    }),
  );
}

/** Checks that each run is complete and in order, and not mixed with others. */
function expectOneAfterAnother(events: readonly RunEvent[]): void {
  expect(isGapless(events)).toBe(true);
  const whole = [
    "run.started",
    "approval.requested",
    "approval.decided",
    ...Array(20).fill("text.delta"),
    "run.finished",
  ];
  for (let start = 0; start < events.length; start += whole.length) {
    const run = events.slice(start, start + whole.length);
    expect(run.map(({ type }) => type)).toEqual(whole);
    expect(new Set(run.map(({ runId }) => runId)).size).toBe(1);
    const pieces = run.flatMap((event) => (event.type === "text.delta" ? [event.text] : []));
    expect(pieces).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`));
  }
}
