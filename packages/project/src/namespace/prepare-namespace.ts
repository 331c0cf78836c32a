import { chmod, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createPrivateFolder } from "@bridle/core";
import { ConfigError, isBridleError, systemErrorCode } from "@bridle/protocol";
import { allHosts } from "../registries/host-registry.ts";
import { bridleFolder, namespaceFolders, type TenantScope } from "./folders.ts";

/**
 * Creates the folders that a namespace needs, readable only by this user and ignored by version control. Does nothing
 * without a namespace. Throws ConfigError if they cannot be created.
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
    if (isBridleError(cause)) throw cause;
    throw new ConfigError(
      `The folder of the namespace cannot be created: ${folder} (${systemErrorCode(cause)}). Make the project's folder .bridle writable for this user.`,
      { field: "namespace", cause },
    );
  }
}

/** Creates a private folder. Also restricts an existing folder, because a login may have created it with other permissions. */
async function makePrivate(path: string): Promise<void> {
  createPrivateFolder(path);
  await chmod(path, 0o700);
}

async function writeOnce(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  });
}
