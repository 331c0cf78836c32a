/** Creates folders with code, and checks whether a change in them requires trust again. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { codeContent } from "./code-content.ts";

/** The contents of a folder's files, by file name. */
export type Texts = Readonly<Record<string, string | Uint8Array>>;

export function createFolder(files: Texts): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridle-changes-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) write(join(folder, name), text);
  return folder;
}

export function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Whether a change of a file requires trust again. The file may be new. */
export function counts(file: string, folder: string, value: unknown, change: string | Uint8Array = "changed"): boolean {
  const before = JSON.stringify(codeContent(value, folder));
  write(join(folder, file), change);
  return JSON.stringify(codeContent(value, folder)) !== before;
}
