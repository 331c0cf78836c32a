import { resolve } from "node:path";
import type { ProjectIngest } from "@bridle/data";
import { type CreateRuntimeOptions, hashOfScript } from "@bridle/project";
import { type Logger, silentLogger } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import type { AgentPlan } from "../runs/agent-plan.ts";
import { runtimeOptions } from "../runs/runtime-options.ts";
import { openDataContext } from "../warehouses/open-data-context.ts";

/** The models of the roles triage, extract, default, curator and reconcile. */
export interface IngestChoices extends Pick<AgentPlan, "backend" | "auth"> {
  /** A script, a cassette or a function in place of a model. */
  readonly rehearse?: CreateRuntimeOptions["rehearse"];
}

export interface IngestEffects {
  /** Default: no log. */
  readonly logger?: Logger | undefined;
  /** The whole standard input. Default: none. */
  readonly readInput?: (() => Promise<string>) | undefined;
}

/**
 * Runs `work` with the project's ingest: its runs, gates, models, memory, store and explanations. Models are called on the chosen backend,
 * and only when they are needed.
 *
 * @throws ConfigError if a setting is wrong or the project is not trusted; FactsError.
 */
export async function withIngest<T>(
  choices: IngestChoices,
  context: ProjectContext,
  { logger = silentLogger, readInput }: IngestEffects,
  work: (ingest: ProjectIngest) => T | Promise<T>,
): Promise<T> {
  const { backend, auth, rehearse } = choices;
  const isRehearsed = rehearse !== undefined;
  const { openProjectIngest } = await import("@bridle/data");
  const opened = await openDataContext(context, { isRehearsed, logger, embedder: "none" });
  const project = context.project.with({ backend, auth });
  const createRuntime = () =>
    context.createRuntime({ ...runtimeOptions({ backend, auth }, context, { logger, unattended: true }), rehearse });
  try {
    const file = typeof rehearse === "string" ? resolve(context.cwd, rehearse) : rehearse;
    const script = file === undefined ? undefined : await hashOfScript(file);
    const ingest = await openProjectIngest(project, { context: opened, createRuntime, readInput, isRehearsed, script });
    try {
      return await work(ingest);
    } finally {
      await ingest.close();
    }
  } finally {
    await opened.close();
  }
}
