import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { shortCorpus } from "./support/corpus/corpus.ts";
import { CorpusModel } from "./support/models/corpus-model.ts";
import { wantedFactsOf } from "./support/models/known-facts.ts";
import { startModels } from "./support/start-models.ts";
import { TestIngest } from "./support/test-ingest.ts";

const run = promisify(execFile);
const program = join(import.meta.dirname, "ingesting-process.ts");
const parameters = ["--conditions=@bridle/source", "--no-warnings", program];

/** Starts a process that ingests in a folder. Returns the output when the process ends: empty if it succeeded. */
async function ingestIn(folder: string, url: string, before: string): Promise<string> {
  const command = `${before} exec "$0" "$@"`;
  const words = ["-c", command, process.execPath, ...parameters, folder, url, "never", "0", "short"];
  const { stdout } = await run("sh", words, { encoding: "utf8" });
  return stdout.trim();
}

const start = async () => {
  const started = await startModels(new CorpusModel(wantedFactsOf(shortCorpus)).answer);
  onTestFinished(() => started.close());
  return started;
};

test("files that may not grow end the run with one sentence, and the next run continues with what was stored", async () => {
  const started = await start();
  const ingest = new TestIngest();
  const said = await ingestIn(ingest.stateDir, started.rehearsal.url, "ulimit -f 400;");
  expect(said).toMatch(/^(No disk space is left for .*ingest\.sqlite|.*ingest\.sqlite cannot be used: .*)/);
  expect(said.split("\n")).toHaveLength(1);
  const asked = started.calls();
  const { checked } = await ingest.run(shortCorpus.source(1), { models: started.models });
  const whole = await new TestIngest().run(shortCorpus.source(1), { models: started.models });
  expect(checked).toEqual(whole.checked);
  expect(asked).toBeGreaterThanOrEqual(0);
});

/** Mounts a file system of one megabyte, which only root may do. */
function mountSmall(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "bridle-small-disk-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=400k", "tmpfs", folder]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync("umount", [folder]));
  return folder;
}

test("a full disk ends the run with one sentence, and when there is space the next run ends as if nothing had happened", async ({
  skip,
}) => {
  const disk = mountSmall();
  if (disk === undefined) return skip("only root may mount a file system");
  const started = await start();
  const folder = join(disk, "state");
  mkdirSync(folder);
  const said = await ingestIn(folder, started.rehearsal.url, "");
  expect(said).toMatch(/^No disk space is left for \S+\. Free some, and ingest again\. Stored results were kept\.$/);
  const asked = started.calls();
  spawnSync("mount", ["-o", "remount,size=64m", disk]);
  expect(await ingestIn(folder, started.rehearsal.url, "")).toBe("");
  const repeated = started.calls();
  expect(await ingestIn(folder, started.rehearsal.url, "")).toBe("");
  expect(started.calls()).toBe(repeated);
  const whole = await new TestIngest().run(shortCorpus.source(1), { models: started.models });
  const needed = whole.outcome.stages.reduce((sum, { calls }) => sum + calls, 0);
  expect(repeated - asked).toBeLessThanOrEqual(needed * 2);
});
