import { readdirSync } from "node:fs";
import { join } from "node:path";
import { encodeNamespace } from "./encode-namespace.ts";

/** The folder of a project, and the namespace. Without a namespace, this is the scope of the project's own state. */
export interface TenantScope {
  readonly projectDir: string;
  readonly namespace?: string | undefined;
}

const namespacesName = "ns";

/** The name of the folder that contains a project's state. */
export const stateFolderName = ".bridle";

/** Returns the folder for the state: `.bridle` in the project, or the namespace's folder in `.bridle`. */
export function bridleFolder({ projectDir, namespace }: TenantScope): string {
  const own = join(projectDir, stateFolderName);
  return namespace === undefined ? own : join(own, namespacesName, encodeNamespace(namespace));
}

/** Lists the folders of a project's state: its own, and those of all existing namespaces. */
export function allBridleFolders(projectDir: string): string[] {
  const own = bridleFolder({ projectDir });
  return [own, ...foldersIn(join(own, namespacesName))];
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  } catch {
    return []; // most projects have no namespaces
  }
}

/** Returns the folder with test results, one file for each run of the tests. */
export function testRunsFolder(scope: TenantScope): string {
  return join(bridleFolder(scope), "test-runs");
}

/** Returns the paths in a namespace's own folder that replace the folders of the system's user. */
export function namespaceFolders(folder: string) {
  return {
    /** The folder that hosts get as the user's home. */
    home: join(folder, "home"),
  } as const;
}
