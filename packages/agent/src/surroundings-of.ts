import type { LoadModuleOptions, Project } from "@bridle/project";
import { type Logger, omitUndefined, silentLogger } from "@bridle/protocol";
import type { AgentDefinition } from "./definition/agent-definition.ts";
import type { Surroundings } from "./opening/opened-tools.ts";

interface Options {
  readonly logger?: Logger | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly loading?: LoadModuleOptions | undefined;
}

/** What the tools of an agent are opened with. */
export function surroundingsOf(
  { baseDir, environment }: AgentDefinition,
  { projectDir, folder: stateDir }: Project,
  { logger = silentLogger, signal, loading }: Options,
): Surroundings {
  return omitUndefined({ baseDir, projectDir, environment, logger, stateDir, signal, loading });
}
