/** Detects the contents of a path, so that it can be ingested without settings. */
import { stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { ConfigError } from "@bridle/protocol";
import picomatch from "picomatch";
import { type FolderFile, listFolder } from "../files/folder-files.ts";
import { parseSourceSettings, type SourceSettings } from "../kinds/source-settings.ts";
import { classifyFile, type FileKind } from "./classify-file.ts";

export interface RecognisedSource {
  /** The path relative to the project folder, with the kind if the path has several kinds. */
  readonly name: string;
  readonly settings: SourceSettings;
}

interface ClassifiedFile extends FolderFile {
  readonly kind: FileKind;
}

/**
 * Finds the sources in a path. A folder with files of one kind is one source. If its subfolders are of several kinds, each of them is a
 * separate source. `-` stands for standard input.
 *
 * @throws ConfigError if the path does not exist, or contains nothing that can be read.
 */
export async function recogniseSources(
  path: string,
  projectDir: string,
  signal?: AbortSignal,
): Promise<readonly RecognisedSource[]> {
  if (path === "-") return [{ name: "-", settings: parseSourceSettings("-", { type: "text" }) }];
  if (/^[a-z]{2,10}:\/\//i.test(path))
    throw new ConfigError(
      `${path} is an address. Write a source with its type and url under context.sources in bridle.yaml.`,
    );
  const whole = resolve(projectDir, path);
  if (picomatch.scan(path).isGlob && !(await stat(whole).catch(() => undefined)))
    return [{ name: path, settings: parseSourceSettings(path, { type: "documents", path }) }];
  const listing = await listFolder(whole, () => true, signal);
  const { isFile } = listing;
  const files = await classify(listing.files, isFile ? resolve(whole, "..") : whole, signal);
  const groups = isFile ? sourcesAt(files, "") : split(files, "");
  const found = groups.map((group) =>
    toSource(group, isFile ? undefined : whole, isFile ? whole : undefined, projectDir),
  );
  if (found.length > 0) return found;
  throw new ConfigError(
    `${path} has nothing that can be ingested. Name a folder with documents, a dbt project, models or exported cards.`,
  );
}

async function classify(
  files: readonly FolderFile[],
  root: string,
  signal: AbortSignal | undefined,
): Promise<readonly ClassifiedFile[]> {
  const projects = files
    .filter(({ id }) => /(?:^|\/)dbt_project\.ya?ml$/.test(id))
    .map(({ id }) => id.replace(/[^/]*$/, ""));
  const classified: ClassifiedFile[] = [];
  for (const file of files) {
    signal?.throwIfAborted();
    const project = projects.find((folder) => file.id.startsWith(folder));
    const isOfProject =
      project !== undefined && (/\.(?:ya?ml|md)$/i.test(file.id) || /^target\//.test(file.id.slice(project.length)));
    const kind = isOfProject ? "dbt" : await classifyFile(file, root);
    if (kind !== undefined) classified.push({ ...file, kind });
  }
  return classified;
}

/** The files of one kind in a folder, which become one source. */
interface Group {
  /** The folder relative to the path; empty for the path itself. */
  readonly folder: string;
  readonly kind: FileKind;
  readonly files: readonly ClassifiedFile[];
  /** The other groups in the folder. */
  readonly beside: readonly Group[];
}

/**
 * Splits a folder into groups: one group if all files are of one kind; one for each kind if the folder itself contains files; or else the
 * groups of its subfolders.
 */
function split(files: readonly ClassifiedFile[], folder: string): readonly Group[] {
  const kinds = new Set(files.map(({ kind }) => kind));
  const prefix = folder === "" ? "" : `${folder}/`;
  const inner = Map.groupBy(files, ({ id }) => id.slice(prefix.length).split("/").slice(0, -1)[0]);
  if (kinds.size <= 1 || inner.has(undefined)) return sourcesAt(files, folder);
  return [...inner].flatMap(([name, own]) => split(own, `${prefix}${name ?? ""}`));
}

function sourcesAt(files: readonly ClassifiedFile[], folder: string): readonly Group[] {
  const kinds = Map.groupBy(files, ({ kind }) => kind);
  const hasNotion = kinds.has("notion");
  // An export also contains other documents, such as attachments, and its own source reads them.
  const groups = [...kinds].filter(([kind]) => !(hasNotion && kind === "documents"));
  const made = groups.map(([kind, own]): Group => ({ folder, kind, files: own, beside: [] }));
  return made.map((group) => ({ ...group, beside: made.filter((other) => other !== group) }));
}

function toSource(
  { folder, kind, files, beside }: Group,
  root: string | undefined,
  file: string | undefined,
  projectDir: string,
): RecognisedSource {
  const path = shorten(file ?? join(root ?? "", folder), projectDir);
  const exclude = kind === "documents" ? beside.flatMap(excludedBy) : [];
  const settings = parseSourceSettings(path, { type: kind, path, ...(exclude.length > 0 ? { exclude } : {}) });
  const name = path === "." ? basename(projectDir) : path;
  return { name: beside.length === 0 || files.length === 0 ? name : `${name} (${kind})`, settings };
}

/** Returns the documents in the same folder that a source of another kind already reads. */
function excludedBy({ kind, files }: Group): readonly string[] {
  if (kind === "dbt") return ["**/*.md"];
  return kind === "query_history" ? files.map(({ id }) => id.replaceAll(/[*?{}()[\]!+@\\]/g, "?")) : [];
}

/** Returns the path relative to the project folder, if that contains the path. */
function shorten(path: string, projectDir: string): string {
  const way = relative(projectDir, path);
  if (way === "") return ".";
  return way.startsWith("..") || isAbsolute(way) ? path : way.replaceAll("\\", "/");
}
