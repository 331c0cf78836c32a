import type { ToolKindContext } from "@bridle/core";
import { type Logger, silentLogger } from "@bridle/core";
import { bridleFolder, type LoadModuleOptions, resolveSettings, type SettingsOptions } from "@bridle/project";
import type { AgentDefinition } from "./definition/agent-definition.ts";

type Options = Pick<SettingsOptions, "projectDir" | "namespace"> & {
  logger?: Logger;
  signal?: AbortSignal;
  loading?: LoadModuleOptions;
};

/** What the tools of an agent are opened with. Throws ConfigError. */
export async function surroundingsOf(
  { baseDir, environment }: AgentDefinition,
  { logger = silentLogger, signal, loading, projectDir: folder, namespace }: Options,
): Promise<ToolKindContext> {
  const where = {
    ...(folder !== undefined && { projectDir: folder }),
    ...(namespace !== undefined && { namespace, processEnvironment: environment }),
  };
  const settings = await resolveSettings(namespace === undefined ? { ...where, environment } : where);
  const { projectDir } = settings;
  return {
    baseDir,
    projectDir,
    environment,
    logger,
    stateDir: bridleFolder(settings),
    ...(signal && { signal }),
    ...(loading && { loading }),
  };
}
