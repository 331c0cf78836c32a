import { accessSync, constants } from "node:fs";
import { basename } from "node:path";
import type { SafetyFinding } from "../port/connector.ts";

/** Checks the permissions of files, because engines that read files have no accounts. */
export function inspectFiles(files: readonly string[]): SafetyFinding {
  const writable = files.find(isWritable);
  return writable === undefined
    ? { layer: "account", ok: true, message: `You may only read ${files.map((file) => basename(file)).join(", ")}.` }
    : {
        layer: "account",
        ok: false,
        message: `You may write to ${basename(writable)}; take the permission away, or use a copy.`,
      };
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
