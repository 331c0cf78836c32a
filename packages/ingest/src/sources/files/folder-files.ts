/** Lists and reads folders that another tool writes: YAML, LookML, JSON and logs. Documents are searched for separately. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { DocumentError, readSource } from "@bridle/documents";
import { ConfigError, showHidden, systemErrorCode } from "@bridle/protocol";
import type { FetchEvent } from "../source.ts";

export interface FolderFile {
  /** The path relative to the folder, with `/`. */
  readonly id: string;
  readonly path: string;
}

export interface FolderListing {
  /** The files, sorted by id. */
  readonly files: readonly FolderFile[];
  readonly problems: readonly Extract<FetchEvent, { kind: "problem" }>[];
  /** Whether every folder could be read. If not, the list may be incomplete. */
  readonly isComplete: boolean;
  /** Whether the path is a single file. */
  readonly isFile: boolean;
}

const maxFiles = 50_000;
const maxLevels = 64;
/** Folders that contain copies, or files of packages. */
const unread: ReadonlySet<string> = new Set(["node_modules", "dbt_packages", "dbt_modules", "logs"]);

/**
 * Lists the files below a folder, or the one file at the path. Does not follow links, because they may lead out of the folder or in
 * circles.
 *
 * @throws ConfigError if the path does not exist or cannot be read.
 */
export async function listFolder(
  path: string,
  isWanted: (id: string) => boolean,
  signal?: AbortSignal,
): Promise<FolderListing> {
  const info = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (!info.isDirectory())
    return { files: [{ id: basename(path), path }], problems: [], isComplete: true, isFile: true };
  const walk = new FolderWalk(path, isWanted);
  await walk.run(signal);
  return walk;
}

/** Returns the location of a file for display, which begins with the path in the settings. */
export function locate(path: string, { isFile }: Pick<FolderListing, "isFile">, id: string): string {
  const start = path.replace(/\/+$/, "");
  if (isFile) return start;
  return start === "" || start === "." ? id : `${start}/${id}`;
}

/** Reads the text of a file. Returns a problem if it is not UTF-8 text, too large, or cannot be read. */
export async function readFolderFile(
  { id, path }: FolderFile,
  maxBytes: number,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  try {
    const { bytes } = await readSource({ path, name: id }, maxBytes);
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { problem: `${id} is not text in UTF-8. Convert it, or move it away.` };
    if (!(error instanceof DocumentError)) throw error;
    return { problem: error.message.replace(", or raise max_file_mb", ", or leave it out") };
  }
}

class FolderWalk {
  readonly files: FolderFile[] = [];
  readonly problems: Extract<FetchEvent, { kind: "problem" }>[] = [];
  isComplete = true;
  readonly isFile = false;
  readonly #root: string;
  readonly #isWanted: (id: string) => boolean;

  constructor(root: string, isWanted: (id: string) => boolean) {
    this.#root = resolve(root);
    this.#isWanted = isWanted;
  }

  async run(signal: AbortSignal | undefined): Promise<void> {
    for (const folders = [""]; folders.length > 0; ) {
      signal?.throwIfAborted();
      const folder = folders.pop() ?? "";
      for (const entry of await this.#entriesOf(folder)) {
        const id = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (entry.name.startsWith(".") || unread.has(entry.name)) continue;
        if (entry.isDirectory()) this.#enter(id, folders);
        else if (entry.isFile() && this.#isWanted(id)) this.#add(id);
      }
      if (this.files.length > maxFiles)
        throw new ConfigError(
          `${this.#root} has more than ${maxFiles.toLocaleString("en")} files. Name a smaller folder.`,
        );
    }
    this.files.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async #entriesOf(folder: string): Promise<Dirent[]> {
    try {
      return await readdir(join(this.#root, folder), { withFileTypes: true });
    } catch (cause) {
      if (folder === "") throw unreadable(this.#root, cause);
      this.#leaveOut(
        `${folder} cannot be read (${systemErrorCode(cause)}). Make it readable; until then nothing counts as deleted.`,
      );
      return [];
    }
  }

  #enter(id: string, folders: string[]): void {
    if (id.split("/").length <= maxLevels) folders.push(id);
    else this.#leaveOut(`${showHidden(id.slice(0, 80))}… is nested deeper than ${maxLevels} folders. Flatten it.`);
  }

  #add(id: string): void {
    const problem = explainOddName(id);
    if (problem === undefined) this.files.push({ id, path: join(this.#root, id) });
    else this.problems.push({ kind: "problem", message: problem });
  }

  #leaveOut(message: string): void {
    this.isComplete = false;
    this.problems.push({ kind: "problem", message });
  }
}

/** Explains why a file name cannot be an id, because people read ids in files and reports; undefined if it can. */
export function explainOddName(id: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern searches for them
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(id) || !id.isWellFormed())
    return `The name of ${showHidden(id, "")} has characters that cannot be seen. Rename the file.`;
  return id.length > 1_000 ? `The name of ${id.slice(0, 80)}… has more than 1,000 characters. Shorten it.` : undefined;
}

function unreadable(path: string, cause: unknown): ConfigError {
  const code = systemErrorCode(cause);
  const reason = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
  return new ConfigError(`${path} ${reason}. Correct the path of the source.`, { cause });
}
