import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { stampOfFile } from "../session/session-keeper.ts";

/** The maximum size in bytes of a file that is marked by its content. */
const smallFile = 8 * 1024 * 1024;

/** Computes a change marker of a data file: the content of a small file, or the size and the time of the last change of a larger one. */
export function markOfFile(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return "missing";
  if (!found.isFile() || found.size > smallFile) return stampOfFile(file);
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
