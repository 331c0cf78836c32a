import { join, relative } from "node:path";
import { sha256 } from "@bridle/core";
import { getErrorMessage } from "@bridle/protocol";
import type { ModelFile, ModelProblem } from "@bridle/semantic";
import type { ContextFolder } from "../facts/context-folder.ts";
import { entriesOf, readOwnText, versionOfFile } from "../files/folder-entries.ts";

export interface ReadFolder {
  readonly version: string;
  readonly files: readonly ModelFile[];
  /** Files that cannot be read. */
  readonly problems: readonly ModelProblem[];
}

/** The files of `context/models`. They are read again after a change. */
export class ModelFolder {
  readonly #projectDir: string;
  readonly #folder: string;
  #read: ReadFolder = { version: "", files: [], problems: [] };

  constructor({ projectDir }: Pick<ContextFolder, "projectDir">) {
    this.#projectDir = projectDir;
    this.#folder = join(projectDir, "context", "models");
  }

  /** Reads the files. Never throws: a file that cannot be read is listed as a problem. */
  read(): ReadFolder {
    const paths = entriesOf(this.#folder).flatMap(({ name }) =>
      /^[^.].*\.ya?ml$/.test(name) ? [join(this.#folder, name)] : [],
    );
    const version = sha256(JSON.stringify(paths.map((path) => [path, versionOfFile(path)])));
    if (version !== this.#read.version) this.#read = { version, ...this.#readFiles(paths) };
    return this.#read;
  }

  #readFiles(paths: readonly string[]): Pick<ReadFolder, "files" | "problems"> {
    const files: ModelFile[] = [];
    const problems: ModelProblem[] = [];
    for (const path of paths) {
      const file = relative(this.#projectDir, path).replaceAll("\\", "/");
      try {
        files.push({ file, text: readOwnText(path, this.#projectDir) });
      } catch (error) {
        problems.push({ message: `The file cannot be read: ${getErrorMessage(error)}`, position: { file } });
      }
    }
    return { files, problems };
  }
}
