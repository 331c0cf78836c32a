/** Reads the files of another tool: one file, or all files of a folder. */
import { readdir, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { readRegularFile } from "@bridle/core";
import type { ImportFinding } from "@bridle/metric-formats";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import type { ModelFile } from "@bridle/semantic";

export interface ReadImportFiles {
  readonly files: readonly ModelFile[];
  /** Files that cannot be read. */
  readonly findings: readonly ImportFinding[];
}

const maxFiles = 10_000;
const maxBytes = 4_000_000;
/** Names of folders that contain copies, or the files of packages. */
const unread: ReadonlySet<string> = new Set(["node_modules", "target"]);

/** Reads the files in the order of their paths. Throws ConfigError if the path does not exist, or contains too many files. */
export async function readImportFiles(path: string, cwd: string, endings: readonly string[]): Promise<ReadImportFiles> {
  const paths = await findFiles(path, cwd, endings);
  const files: ModelFile[] = [];
  const findings: ImportFinding[] = [];
  for (const each of paths) {
    const file = relative(cwd, each).replaceAll("\\", "/");
    try {
      files.push({ file, text: decode(await readRegularFile(each, maxBytes)) });
    } catch (error) {
      const why = error instanceof TypeError ? "it is not text in UTF-8" : systemErrorCode(error);
      const reason = `The file cannot be read: ${why}. Correct it, or move it away.`;
      findings.push({ kind: "refused", subject: file, reason, position: { file } });
    }
  }
  return { files, findings };
}

async function findFiles(path: string, cwd: string, endings: readonly string[]): Promise<readonly string[]> {
  const start = resolve(cwd, path);
  let isFolder: boolean;
  try {
    isFolder = (await stat(start)).isDirectory();
  } catch (cause) {
    const code = systemErrorCode(cause);
    const reason = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new ConfigError(`${path} ${reason}. Name a file, or a folder with files.`, { cause });
  }
  if (!isFolder) return [start];
  const found: string[] = [];
  for (const folders = [start]; folders.length > 0; ) {
    const folder = folders.pop() ?? start;
    // Links are not followed, because they may lead anywhere, including back to this folder.
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const inner = join(folder, entry.name);
      if (entry.name.startsWith(".") || unread.has(entry.name)) continue;
      if (entry.isDirectory()) folders.push(inner);
      else if (entry.isFile() && endings.some((ending) => entry.name.toLowerCase().endsWith(ending))) found.push(inner);
    }
    if (found.length > maxFiles) {
      throw new ConfigError(
        `${path} has more than ${maxFiles.toLocaleString("en-US")} files. Name a smaller folder.`,
        {},
      );
    }
  }
  return found.toSorted();
}

/** Decodes UTF-8. Throws a TypeError for other bytes. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
