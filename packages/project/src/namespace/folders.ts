import { readdirSync } from "node:fs";
import { join } from "node:path";
import { encodeNamespace } from "./encode-namespace.ts";

/** The folder of a project, and the namespace. Without a namespace, it is the scope of the project's own state. */
export interface TenantScope {
  readonly projectDir: string;
  readonly namespace?: string | undefined;
}

const namespacesName = "ns";

/** The folder of a project with its state. */
export const stateFolderName = ".bridle";

/** The folder for a project's state: `.bridle`, and in it one folder for each namespace. */
export function bridleFolder({ projectDir, namespace }: TenantScope): string {
  const own = join(projectDir, stateFolderName);
  return namespace === undefined ? own : join(own, namespacesName, encodeNamespace(namespace));
}

/** The folders of a project's state: its own, and those of all existing namespaces. */
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

/** The folder with the results of tests, one file for each invocation. */
export function testRunsFolder(scope: TenantScope): string {
  return join(bridleFolder(scope), "test-runs");
}

/** The paths that a namespace uses instead of the folders of the system's user, inside the namespace's own folder. */
export function namespaceFolders(folder: string) {
  return {
    /** The user's home, as a host sees it. */
    home: join(folder, "home"),
  } as const;
}
