/** Writes imported models to files in `context/models`. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ReplacedFile, readOwnText } from "@bridle/context";
import { makeFolders } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { formatModelFile, type SemanticModel } from "@bridle/semantic";
import { isScalar, parseDocument } from "yaml";
import { leadsOutOf } from "../files/leads-out-of.ts";

const folder = "context/models";

export interface ImportedFile {
  readonly model: SemanticModel;
  /** The path relative to the project. */
  readonly file: string;
  readonly text: string;
  readonly change: "new" | "replaced" | "unchanged";
}

/** Chooses the file of each model: the existing file of the model with the same name, or a new file. */
export async function planFiles(
  models: readonly SemanticModel[],
  projectDir: string,
): Promise<readonly ImportedFile[]> {
  const existing = await readExisting(projectDir);
  const taken = new Set(existing.filter(({ name }) => name !== undefined).map(({ file }) => file.toLowerCase()));
  const planned: ImportedFile[] = [];
  for (const model of models) {
    const text = formatModelFile(model);
    const file = existing.find(({ name }) => name === model.name)?.file ?? freeName(model.name, taken);
    taken.add(file.toLowerCase());
    const found = existing.find((each) => each.file === file);
    const change = found === undefined ? "new" : found.text === text ? "unchanged" : "replaced";
    planned.push({ model, file, text, change });
  }
  return planned;
}

interface ExistingFile {
  readonly file: string;
  readonly text: string | undefined;
  /** The name of the model in the file. Undefined if the file cannot be read as a model. */
  readonly name: string | undefined;
}

async function readExisting(projectDir: string): Promise<readonly ExistingFile[]> {
  const names = await readdir(join(projectDir, folder)).catch(() => []);
  const files = names.filter((name) => /\.ya?ml$/.test(name)).map((name) => `${folder}/${name}`);
  return files.map((file) => {
    const text = tryToRead(join(projectDir, file), projectDir);
    return { file, text, name: text === undefined ? undefined : nameIn(text) };
  });
}

function tryToRead(path: string, projectDir: string): string | undefined {
  try {
    return readOwnText(path, projectDir);
  } catch {
    return undefined;
  }
}

function nameIn(text: string): string | undefined {
  const name: unknown = parseDocument(text).get("name", true);
  return isScalar(name) && typeof name.value === "string" ? name.value : undefined;
}

/** Finds a free file name. Unlike model names, file names are not case-sensitive on some systems. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let index = 1; ; index += 1) {
    const file = `${folder}/${name}${index === 1 ? "" : `_${index}`}.yaml`;
    if (!taken.has(file.toLowerCase())) return file;
  }
}

/** Throws ConfigError, before anything is written, if a file exists and `force` does not allow replacing it. */
export async function writeFiles(files: readonly ImportedFile[], projectDir: string, force: boolean): Promise<void> {
  const changed = files.filter(({ change }) => change !== "unchanged");
  const replaced = changed.filter(({ change }) => change === "replaced").map(({ file }) => file);
  if (replaced.length > 0 && !force) {
    const them = replaced.length === 1 ? "it" : "them";
    const verb = replaced.length === 1 ? "exists" : "exist";
    const why = `${replaced.join(", ")} ${verb} already, with another content. Nothing was written.`;
    throw new ConfigError(`${why} Replace ${them} with --force, or see the new text with --dry-run.`, {
      field: folder,
    });
  }
  if (changed.length === 0) return;
  makeFolders(join(projectDir, folder), { isShared: true });
  if (await leadsOutOf(projectDir, join(projectDir, folder)))
    throw new ConfigError(`${folder} is a link that leads out of the project. Replace it with a folder.`, {
      field: folder,
    });
  for (const { file, text } of changed) replaceWhole(join(projectDir, file), text);
}

/**
 * Replaces the file atomically: readers see either the old or the new text, even if the process dies. If the path is a link, the link
 * itself is replaced. Writing through the link would change a file that nobody named. Throws ConfigError.
 */
function replaceWhole(path: string, text: string): void {
  const replaced = new ReplacedFile(path);
  try {
    replaced.replace(text);
  } finally {
    replaced.forget();
  }
}
