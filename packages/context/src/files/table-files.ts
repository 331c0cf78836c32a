import { join, relative } from "node:path";
import { sha256 } from "@bridle/core";
import { getErrorMessage } from "@bridle/protocol";
import { type ContextFolder, decodeName, tableFilesFolder } from "../facts/context-folder.ts";
import type { ContextFileProblem } from "./file-problem.ts";
import { entriesOf, readOwnText, versionOfFile } from "./folder-entries.ts";
import { type ParsedTableFile, parseTableFile } from "./parse-table-file.ts";
import { type NotesOfFiles, notesOfTables, toJoinDecision } from "./table-notes.ts";

interface FoundFile {
  readonly path: string;
  readonly connection: string;
  readonly schema: string;
  /** A string that differs if the file's content may differ. */
  readonly mark: string;
}

interface ReadFile {
  readonly mark: string;
  readonly parsed: ParsedTableFile;
}

/** Reads the files of a project. Files that have not changed are not read again. */
export class TableFiles {
  readonly #folder: Pick<ContextFolder, "projectDir">;
  #files = new Map<string, ReadFile>();
  #version = "";
  #notes: NotesOfFiles = { tables: new Map(), joins: [], problems: [] };

  constructor(folder: Pick<ContextFolder, "projectDir">) {
    this.#folder = folder;
  }

  /**
   * Reads the current files. Returns the same object until a file changes. Never throws: a file that cannot be read is listed as a problem.
   */
  read(): NotesOfFiles {
    const found = this.#find();
    const version = sha256(JSON.stringify(found));
    if (version === this.#version) return this.#notes;
    this.#files = new Map(found.map((file) => [file.path, this.#parseFile(file)]));
    this.#notes = this.#collect(found);
    this.#version = version;
    return this.#notes;
  }

  /** Returns a string that differs after every change of the files. */
  version(): string {
    this.read();
    return this.#version;
  }

  #find(): FoundFile[] {
    const root = tableFilesFolder(this.#folder);
    return foldersIn(root).flatMap((connectionFolder) => {
      const connection = decodeName(connectionFolder);
      if (connection === undefined) return [];
      return filesIn(join(root, connectionFolder)).flatMap((name) => {
        const schema = decodeName(name.replace(/\.ya?ml$/, ""));
        const path = join(root, connectionFolder, name);
        return schema === undefined ? [] : [{ path, connection, schema, mark: versionOfFile(path) }];
      });
    });
  }

  #parseFile({ path, mark }: FoundFile): ReadFile {
    const known = this.#files.get(path);
    if (known?.mark === mark) return known;
    const file = relative(this.#folder.projectDir, path);
    try {
      return { mark, parsed: parseTableFile(readOwnText(path, this.#folder.projectDir), file) };
    } catch (error) {
      const problem = { message: `the file cannot be read: ${getErrorMessage(error)}`, position: { file } };
      return { mark, parsed: { value: {}, problems: [problem], unprotected: problem, at: () => ({ file }) } };
    }
  }

  #collect(found: readonly FoundFile[]): NotesOfFiles {
    const parsed = found.flatMap((file) => {
      const read = this.#files.get(file.path);
      return read === undefined ? [] : [{ ...file, ...read.parsed }];
    });
    const decided = parsed.flatMap(({ value, at }) =>
      (value.joins ?? []).map((note, index) => ({ decision: toJoinDecision(note), position: at(["joins", index]) })),
    );
    const problems: ContextFileProblem[] = decided.flatMap(({ decision, position }) =>
      typeof decision === "string" ? [{ message: decision, position }] : [],
    );
    return {
      tables: new Map(parsed.flatMap((file) => notesOfTables(file.value, file))),
      joins: decided.flatMap(({ decision }) => (typeof decision === "string" ? [] : [decision])),
      problems: [...parsed.flatMap((file) => file.problems), ...problems],
      unprotected: parsed.flatMap(({ connection, schema, unprotected }) =>
        unprotected === undefined ? [] : [{ connection, schema, problem: unprotected }],
      ),
    };
  }
}

function foldersIn(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith(".") ? [entry.name] : []));
}

function filesIn(folder: string): string[] {
  return entriesOf(folder).flatMap(({ name }) => (/^[^.].*\.ya?ml$|^%\.ya?ml$/.test(name) ? [name] : []));
}
