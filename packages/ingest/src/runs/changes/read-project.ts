/** Reads those files of a project that ingest writes. */
import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { describeUnreadable, PageFolder, type ReadPages, readOwnText, tableFilesFolder } from "@bridle/context";
import { ConfigError } from "@bridle/protocol";
import type { ModelFile } from "@bridle/semantic";
import { isScalar, parseDocument } from "yaml";
import { type ReadDecisions, readDecisions } from "../../claims/decisions/parse-decisions.ts";
import { parseWritten, type WrittenRecord, writtenFile } from "../../rendering/written-record.ts";

export interface ProjectFiles {
  readonly pages: ReadPages;
  readonly models: readonly (ModelFile & { readonly name: string | undefined })[];
  /** The texts of table files, by path relative to the project. */
  readonly tables: ReadonlyMap<string, string>;
  readonly decisions: ReadDecisions;
  readonly written: WrittenRecord;
  readonly writtenText: string;
}

/** Reads the files. Throws ConfigError if a decisions, model or table file cannot be read. */
export function readProjectFiles(projectDir: string): ProjectFiles {
  const models = readProjectModels(projectDir);
  const folder = tableFilesFolder({ projectDir });
  const tables = foldersIn(folder).flatMap((name) => filesIn(join(folder, name)));
  const writtenText = readIfThere(projectDir, writtenFile) ?? "";
  return {
    pages: new PageFolder({ projectDir }).read(),
    models: models.map((file) => ({ ...file, name: nameOfModel(file.text) })),
    tables: new Map(tables.map((path) => readOne(projectDir, path)).map(({ file, text }) => [file, text])),
    decisions: readDecisions({ projectDir }),
    writtenText,
    written: parseWritten(writtenText),
  };
}

/** Reads the files of `context/models`. Throws ConfigError if a file cannot be read. */
export function readProjectModels(projectDir: string): readonly ModelFile[] {
  return filesIn(join(projectDir, "context", "models")).map((path) => readOne(projectDir, path));
}

/** Reads the text of a file; undefined if it does not exist. Throws ConfigError if it cannot be read. */
export function readIfThere(projectDir: string, file: string): string | undefined {
  const path = join(projectDir, file);
  return existsSync(path) ? readOne(projectDir, path).text : undefined;
}

function readOne(projectDir: string, path: string): ModelFile {
  const file = relative(projectDir, path).replaceAll("\\", "/");
  try {
    return { file, text: readOwnText(path, projectDir) };
  } catch (cause) {
    throw new ConfigError(describeUnreadable(file, cause), {
      cause,
      position: { file },
    });
  }
}

function filesIn(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^[^.].*\.ya?ml$|^%\.ya?ml$/.test(name)) : [];
  return names.sort().map((name) => join(folder, name));
}

function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
}

function nameOfModel(text: string): string | undefined {
  const document = parseDocument(text);
  const name: unknown = document.errors.length > 0 ? undefined : document.get("name", true);
  return isScalar(name) && typeof name.value === "string" ? name.value : undefined;
}
