import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { IngestRuns, openProjectContext, openProjectIngest } from "@bridle/data";
import { ingestStartTool, ingestStatusTool } from "@bridle/data/tools";
import { openProject } from "@bridle/project";
import { silentLogger, type ToolContext } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { agentFolder } from "../play-agent.ts";

test("an ingest of another process is shown, also after one was refused because of it", async () => {
  const projectDir = await agentFolder();
  const project = await openProject({ projectDir, environment: { HOME: projectDir } });
  const context = await openProjectContext(project);
  const ingest = await openProjectIngest(project, { context });
  onTestFinished(async () => {
    await ingest.close();
    await context.close();
  });
  const { signal } = new AbortController();
  const runs = new IngestRuns(async () => ingest, signal);
  const of: ToolContext = {
    signal,
    projectDir,
    runId: "run",
    callId: "call",
    environment: {},
    logger: silentLogger,
    progress: () => {},
  };
  const start = async () => JSON.stringify(await ingestStartTool(runs, ["wiki"]).execute({}, of));
  const status = async () => JSON.stringify(await ingestStatusTool(runs).execute({}, of));
  ingest.store.runs.end(ingest.store.runs.begin(new Date()), new Date());
  const database = new DatabaseSync(join(projectDir, ".bridle/context/ingest.sqlite"));
  onTestFinished(() => database.close());
  database.prepare("INSERT INTO runs (pid, started_at) VALUES (?, ?)").run(process.ppid, "2026-06-01T00:00:00.000Z");
  expect(await start()).toContain("An ingest is in progress already, so none was started.\\nThe ingest is running.");
  expect(await status()).toContain("The ingest is running.");
  expect((await runs.start({ sources: [] })).state).toBe("failed");
  expect(await status()).toContain("The ingest is running.");
  database.prepare("DELETE FROM runs WHERE pid = ?").run(process.ppid);
  expect(await status()).toContain("The ingest failed.");
});
