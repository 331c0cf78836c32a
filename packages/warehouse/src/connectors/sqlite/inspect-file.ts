import type { SafetyFinding } from "../../port/connector.ts";
import { inspectFiles } from "../../sessions/inspect-files.ts";

/** Reports the file's protections: Bridle's own layers always apply, and the file's permissions may protect it, too. */
export function inspectFile(file: string): readonly SafetyFinding[] {
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
  return [parser, session, inspectFiles([file])];
}
