import { join } from "node:path";

/** The folders of a project's context. */
export interface ContextFolder {
  /** The folder with `bridle.yaml`. Its subfolder `context` has the files that users and agents write. */
  readonly projectDir: string;
  /** The folder for files that a scan can recreate, such as `.bridle`. */
  readonly stateDir: string;
}

/** Returns the folder that has one folder of table files for each connection. */
export function tableFilesFolder({ projectDir }: Pick<ContextFolder, "projectDir">): string {
  return join(projectDir, "context", "tables");
}

export function tableFilePath(
  folder: Pick<ContextFolder, "projectDir">,
  { connection, schema }: { readonly connection: string; readonly schema: string },
): string {
  return join(tableFilesFolder(folder), encodeName(connection), `${encodeName(schema)}.yaml`);
}

/** Encodes a name, which may contain any characters, as a file name that stays in its folder on every system. */
export function encodeName(name: string): string {
  if (name === "") return "%";
  return name
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[%/\\:*?"<>|\p{Cc}]|^\.|[. ]$/gu, (character) =>
      encodeURIComponent(character).replace(".", "%2E").replace("*", "%2A"),
    );
}

/** Returns the name that `encodeName` encoded; undefined if the string cannot be decoded. */
export function decodeName(text: string): string | undefined {
  if (text === "%") return "";
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function changesFile({ stateDir }: Pick<ContextFolder, "stateDir">): string {
  return join(stateDir, "context", "changes.db");
}
