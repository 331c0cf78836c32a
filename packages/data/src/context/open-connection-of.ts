import type { Project } from "@bridle/project";
import { ConfigError } from "@bridle/protocol";

/** Opens a connection of a project. A rehearsal can only open databases in files on this machine. Rejects like `openWarehouse`. */
export async function openConnectionOf(
  project: Project,
  name: string,
  { isRehearsed = false }: { readonly isRehearsed?: boolean | undefined },
  signal?: AbortSignal,
): ReturnType<Project["openWarehouse"]> {
  const isFar = project.connections.some((each) => each.name === name && !each.isLocal);
  if (isRehearsed && isFar) throw refuseInRehearsal(name);
  return project.openWarehouse(name, { signal });
}

function refuseInRehearsal(name: string): ConfigError {
  return new ConfigError(
    `The connection ${name} is not opened in a rehearsal, because its database is not a file of this machine. Run without --rehearse.`,
    { field: `context.connections.${name}` },
  );
}
