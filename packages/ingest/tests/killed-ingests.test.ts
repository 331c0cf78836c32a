import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isSoak } from "../../../tests/support/soak.ts";
import { smallCorpus } from "./support/corpus/corpus.ts";
import { CorpusModel } from "./support/models/corpus-model.ts";
import { wantedFactsOf } from "./support/models/known-facts.ts";
import { type StartedModels, startModels } from "./support/start-models.ts";
import { TestIngest, type TestRun } from "./support/test-ingest.ts";

type KillKind = "progress" | "answer" | "write" | "finish";

/** A model that reads every page, and half of the pages closely. */
class Mixed extends CorpusModel {
  override decide(passage: Parameters<CorpusModel["decide"]>[0]) {
    const decided = super.decide(passage);
    return decided.decision === "light" && passage.text.length % 2 === 0 ? { ...decided, decision: "full" } : decided;
  }
}

const kinds: readonly (readonly [KillKind, number])[] = [
  ["progress", isSoak ? 36 : 3],
  ["answer", isSoak ? 24 : 2],
  ["write", isSoak ? 40 : 3],
  ["finish", 1],
];

/** The share of one run's writes that every other run makes, too. */
const written = 0.9;

/**
 * The minimum number of kill points for `npm run soak` and for `npm test`. Together with the kill points of the test that applies changes,
 * `npm test` kills at 16 points.
 */
const expectedPoints = isSoak ? 80 : 9;

test("an ingest that is killed at any point, and continued, ends like one that was not, and repeats no finished question", async () => {
  const started = await startModels(new Mixed(wantedFactsOf(smallCorpus)).answer);
  onTestFinished(() => started.close());
  const whole = await new TestIngest().run(smallCorpus.source(1), { models: started.models });
  const questions = started.calls();
  const points = await countPoints(started);
  const killed: string[] = [];
  for (const [kind, kills] of kinds) {
    for (let kill = 0; kill < kills; kill++) {
      const share = (kill + 0.5) / kills;
      const point = kind === "finish" ? 0 : Math.floor(points[kind] * share * (kind === "write" ? written : 1));
      killed.push(`${kind} ${point}`);
      await killAndContinue(started, { kind, point, whole, questions });
    }
  }
  expect(new Set(killed).size).toBeGreaterThanOrEqual(expectedPoints);
});

interface Expected {
  readonly kind: KillKind;
  readonly point: number;
  readonly whole: TestRun;
  readonly questions: number;
}

async function killAndContinue(started: StartedModels, { kind, point, whole, questions }: Expected): Promise<void> {
  const ingest = new TestIngest();
  const before = started.calls();
  const { signal } = await runProcess(ingest.stateDir, started, kind, point);
  expect(signal, `${kind} ${point}`).toBe("SIGKILL");
  const { checked, outcome } = await ingest.run(smallCorpus.source(1), { models: started.models });
  expect(checked, `${kind} ${point}`).toEqual(whole.checked);
  expect(outcome).toMatchObject({ ended: "complete", unfinished: [] });
  // Calls in progress when the process was killed are repeated: at most two, and each may be a unit with two steps.
  expect(started.calls() - before, `${kind} ${point}`).toBeLessThanOrEqual(questions + 2 * 2);
  if (point % 4 !== 0) return;
  const again = started.calls();
  expect((await ingest.run(smallCorpus.source(1), { models: started.models })).checked).toEqual(whole.checked);
  expect(started.calls()).toBe(again);
}

/** Counts how often a whole run passes each kind of point. */
async function countPoints(started: StartedModels): Promise<Readonly<Record<KillKind, number>>> {
  let progress = 0;
  const { outcome } = await new TestIngest().run(smallCorpus.source(1), {
    models: started.models,
    concurrency: 2,
    onProgress: () => void progress++,
  });
  const answer = outcome.stages.reduce((sum, { calls }) => sum + calls, 0);
  const { written } = await runProcess(new TestIngest().stateDir, started, "never", 0);
  return { progress, answer, write: written, finish: 1 };
}

async function runProcess(
  stateDir: string,
  { rehearsal }: StartedModels,
  kind: KillKind | "never",
  point: number,
): Promise<{ readonly signal: string | null; readonly written: number }> {
  const program = join(import.meta.dirname, "ingesting-process.ts");
  const execArgv = ["--conditions=@bridle/source"];
  const child = fork(program, [stateDir, rehearsal.url, kind, String(point)], {
    execArgv,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let written = 0;
  child.on("message", (message: { readonly written: number }) => {
    written = message.written;
  });
  const [, signal] = await once(child, "exit");
  return { signal, written };
}
