import type { AgentDescription } from "@bridle/agent";
import type { BackendName } from "@bridle/project";
import type { Logger } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { moduleOptions } from "../modules/load-tools.ts";
import { loadAgentFile } from "./load-agent-file.ts";

export interface DescribeAgentFileOptions {
  /** Overrides the file's backend. */
  readonly backend?: BackendName | undefined;
  readonly projectDir?: string | undefined;
  readonly logger: Logger;
  /** Why the agent's tools are not opened. Default: they are opened. */
  readonly unopened?: string | undefined;
  /** The script that replaces the model, so that no credentials are needed. */
  readonly rehearse?: string | undefined;
}

/**
 * Describes the model, tools, rules and limits of an agent. Opens the agent's tools, which starts its servers. Calls no model. Throws
 * ConfigError.
 */
export async function describeAgentFile(
  file: string,
  context: AppContext,
  { backend, projectDir, logger, unopened, rehearse }: DescribeAgentFileOptions,
): Promise<AgentDescription> {
  const { describeAgent } = await import("@bridle/agent");
  const definition = await loadAgentFile(file, context);
  const options = {
    backend,
    projectDir,
    cwd: context.cwd,
    logger,
    unopened,
    rehearse,
    loading: moduleOptions(context),
  };
  return describeAgent(definition, options);
}

/** Reads the JSON Schema of an agent file. */
export async function readAgentJsonSchema(): Promise<object> {
  const { agentJsonSchema } = await import("@bridle/agent");
  return agentJsonSchema();
}
