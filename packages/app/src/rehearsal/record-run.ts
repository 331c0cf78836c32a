import { createMemoryEventLog } from "@bridle/core";
import type { RunEvent, RunResult } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import type { ProjectContext } from "../context/project-context.ts";
import type { OutputFile } from "../files/output-file.ts";
import type { AgentRunPlan } from "../runs/agent-plan.ts";
import { performRun, type RunEffects } from "../runs/perform-run.ts";

type CassetteRecorder = ReturnType<typeof import("@bridle/rehearsal/cassette").createCassetteRecorder>;

/** A recording of a run. If the run failed, the cassette contains the model's answers until then. */
export interface RecordedRun {
  readonly run: PromiseSettledResult<RunResult>;
  readonly cassette: Awaited<ReturnType<CassetteRecorder["cassette"]>>;
}

/** Performs a run and records the model's answers, however the run ends. Throws ConfigError. */
export async function recordRun(
  plan: AgentRunPlan,
  context: ProjectContext,
  effects: RunEffects,
): Promise<RecordedRun> {
  const { createCassetteRecorder } = await import("@bridle/rehearsal/cassette");
  const { backend, auth } = plan;
  const { settings, redactor } = context.project.with({ backend, auth });
  const secrets = settings.values.map(({ value }) => value);
  const eventLog = createMemoryEventLog({ redactor });
  const { environment } = context;
  const recorder = createCassetteRecorder({ secrets, environment, readArtifact: eventLog.artifact });
  const onEvent = (event: RunEvent) => {
    recorder.onEvent(event);
    effects.onEvent?.(event);
  };
  const [run] = await Promise.allSettled([performRun(plan, context, { ...effects, eventLog, onEvent })]);
  return { run, cassette: await recorder.cassette() };
}

/** Writes a cassette, with the versions of the programs that recorded it. Throws ConfigError if it cannot be written. */
export async function saveCassette(
  cassette: RecordedRun["cassette"],
  file: OutputFile,
  { version }: Pick<AppContext, "version">,
): Promise<void> {
  const { writeCassette } = await import("@bridle/rehearsal/cassette");
  const versions = { Bridle: version, "Node.js": process.versions.node };
  await file.write(writeCassette(cassette, { at: new Date(), versions }));
}
