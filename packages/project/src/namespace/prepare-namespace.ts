import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import { allHosts } from "../hosts/host-registry.ts";
import { bridleFolder, namespaceFolders, type TenantScope } from "./folders.ts";

/**
 * Makes the folders that a namespace needs, for this user alone and kept out of version control; nothing without a
 * namespace. Throws ConfigError if that cannot be.
 */
export async function prepareNamespace(settings: TenantScope): Promise<void> {
  if (settings.namespace === undefined) return;
  const folder = bridleFolder(settings);
  const { home } = namespaceFolders(folder);
  const ofHosts = allHosts().flatMap(({ tenant }) => tenant?.folders(folder) ?? []);
  try {
    for (const path of [folder, home, ...ofHosts]) await makePrivate(path);
    await writeOnce(join(dirname(folder), ".gitignore"), "*\n");
  } catch (cause) {
    throw new ConfigError(
      `The folder of the namespace cannot be made: ${folder} (${systemErrorCode(cause)}). Make the project's folder .bridle one that this user can write to.`,
      { field: "namespace", cause },
    );
  }
}

/** Also if it is there already, made by a login with other rights. */
async function makePrivate(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}

async function writeOnce(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  });
}
