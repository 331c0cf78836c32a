import { bridleFolder, type LoadModuleOptions, resolveSettings, type SettingsOptions } from "@bridle/project";
import { type Logger, silentLogger } from "@bridle/protocol";
import type { AgentDefinition } from "./definition/agent-definition.ts";
import type { Surroundings } from "./opening/opened-tools.ts";

type Options = Pick<SettingsOptions, "projectDir" | "namespace"> & {
  logger?: Logger | undefined;
  signal?: AbortSignal;
  loading?: LoadModuleOptions;
};

/** What the tools of an agent are opened with. Throws ConfigError. */
export async function surroundingsOf(
  { baseDir, environment }: AgentDefinition,
  { logger = silentLogger, signal, loading, projectDir: folder, namespace }: Options,
): Promise<Surroundings> {
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
