/** Several processes share an account and an event log. When a process learns about a usage window, the others know it too. */
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openProject } from "@bridle/project";
import { createRuntime, UsageLimitError } from "bridle";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sentRequests } from "../packages/hosts/model-api/tests/sent-requests.ts";
import { PostgresCluster, skipsPostgres } from "../packages/stores/postgres/tests/postgres-cluster.ts";
import { type CrashProject, openCrashProject } from "./support/crash-project.ts";

describe("an event log on disk", () => testSharing((project) => project.folder));

describe.skipIf(skipsPostgres)("an event log in PostgreSQL (needs Debian's package postgresql)", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
  });
  afterAll(() => cluster?.remove());

  testSharing(copyProject, () => `{ type: postgres, url: "${cluster.url}" }`);
});

/** Creates another folder with the same configuration, as on another machine. */
function copyProject({ folder }: CrashProject): string {
  const copy = join(folder, "copy");
  mkdirSync(copy);
  cpSync(join(folder, "bridle.yaml"), join(copy, "bridle.yaml"));
  return copy;
}

function testSharing(folderOfOthers: (project: CrashProject) => string, eventLog?: () => string): void {
  test("after a run was refused, runs of other processes wait or fail without a request until the window opens", async () => {
    const steps = [{ limit: { resets_in_seconds: 8 } }, { say: "Hello." }];
    const project = await openCrashProject("anthropic", eventLog?.(), steps);
    onTestFinished(project.close);
    const { folder, environment, rehearsal } = project;
    const others = folderOfOthers(project);
    const sent = () => sentRequests(rehearsal.requests).length;
    const patient = project.start("limited-run.ts", others, "patient", "60000");
    const hasty = project.start("limited-run.ts", others, "hasty", "1");
    for (const name of ["patient", "hasty"])
      await expect.poll(() => existsSync(join(folder, `ready ${name}`)), { timeout: 60_000 }).toBe(true);

    const resetsAt = await findUsedUp(project);
    writeFileSync(join(folder, "begin"), "");
    expect(await hasty.output).toBe("usage_limit\n");
    const status = await (await openProject({ projectDir: others, environment })).status();
    expect(status.limits.usedUp?.resetsAt).toBe(resetsAt.toISOString());
    expect(sent()).toBe(1);

    const lines = (await patient.output).trim().split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["limit.waiting", "limit.cleared", "natural"]);
    expect(Number(lines[1]?.split(" ")[1])).toBeGreaterThanOrEqual(resetsAt.getTime());
    expect(sent()).toBe(2);
    const after = await (await openProject({ projectDir: folder, environment })).status();
    expect(after.limits.usedUp).toBeNull();
  });
}

/** Starts a run of this process that is refused, and returns the time when the window opens. */
async function findUsedUp({ folder: projectDir, environment }: CrashProject): Promise<Date> {
  const runtime = await createRuntime({ projectDir, environment, eventLog: "project" });
  const { error } = await runtime.runAgentLoop({ prompt: "Hello", tools: [], stepBudget: 2 }).result;
  await runtime.close();
  if (!(error instanceof UsageLimitError) || error.resetsAt === undefined) throw new Error("The run was not refused.");
  return error.resetsAt;
}
