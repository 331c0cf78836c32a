import type { GenerateDescriptions, OpenedContext } from "@bridle/context";
import type { AgentRuntime, Logger } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import type { AgentPlan } from "../runs/agent-plan.ts";
import { runtimeOptions } from "../runs/runtime-options.ts";
import type { WrittenDescriptions } from "./scan-schema.ts";

/** The model that describes tables. Default: the model of the role `describe`. */
export type DescribeChoices = Pick<AgentPlan, "backend" | "auth" | "rehearse">;

interface DescribeEffects {
  readonly signal: AbortSignal;
  onProgress(progress: { readonly connection: string; readonly done: number; readonly total: number }): void;
}

/** Lets the project's model describe tables, one connection after the other, within the project's budget. */
export class TableDescriptions {
  readonly #runtime: AgentRuntime;
  #left: number | undefined;

  /** `tokens` is the budget for all requests and answers; undefined for no limit. */
  constructor(runtime: AgentRuntime, tokens: number | undefined) {
    this.#runtime = runtime;
    this.#left = tokens;
  }

  /** Describes a connection's changed tables. A failed call is added to the report, and the other tables are still described. */
  async write(
    connection: string,
    context: OpenedContext,
    { signal, onProgress }: DescribeEffects,
  ): Promise<WrittenDescriptions> {
    const schemaRetries = this.#left === undefined ? undefined : 0; // corrections would exceed the budget
    const generate: GenerateDescriptions = (request) => this.#runtime.generateObject({ ...request, schemaRetries });
    const report = await context.writeDescriptions(generate, {
      connection,
      signal,
      tokens: this.#left,
      onProgress: (progress) => onProgress({ ...progress, connection }),
    });
    if (this.#left !== undefined) this.#left = Math.max(0, this.#left - report.tokens);
    return report;
  }

  close(): Promise<void> {
    return this.#runtime.close();
  }
}

/** Opens the project's model for descriptions, without calling it. Throws ConfigError. */
export async function openTableDescriptions(
  choices: DescribeChoices,
  context: ProjectContext,
  { logger }: { readonly logger: Logger },
): Promise<TableDescriptions> {
  const runtime = await context.createRuntime(runtimeOptions(choices, context, { logger, unattended: true }));
  return new TableDescriptions(runtime, context.project.settings.context.scan.tokens);
}
