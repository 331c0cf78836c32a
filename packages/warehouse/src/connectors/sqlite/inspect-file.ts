import { accessSync, constants } from "node:fs";
import { basename } from "node:path";
import type { SafetyFinding } from "../../port/connector.ts";

/** What protects the file: our own layers always hold, and the permissions of the file may. */
export function inspectFile(file: string): readonly SafetyFinding[] {
  const name = basename(file);
  const session = {
    layer: "session",
    ok: true,
    message: "SQLite opens the file read-only and authorizes only reads.",
  } as const;
  const parser = {
    layer: "parser",
    ok: true,
    message: "Statements are parsed, and only those that read are sent.",
  } as const;
  const account: SafetyFinding = isWritable(file)
    ? { layer: "account", ok: false, message: `You may write to ${name}; take the permission away, or use a copy.` }
    : { layer: "account", ok: true, message: `You may only read ${name}.` };
  return [parser, session, account];
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
