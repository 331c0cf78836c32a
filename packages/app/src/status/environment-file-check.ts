import type { Check, EnvironmentFile } from "@bridle/project";
import { describeEnvironmentFile } from "../context/environment-file.ts";

const identity = { id: "environment-file", title: "Environment file", area: "configuration" } as const;

/** Checks the project's `.env`, if there is one. A file that was not read is a warning, because the project may not need it. */
export function checkEnvironmentFile(file: EnvironmentFile | undefined): Check[] {
  if (file === undefined) return [];
  const detail = describeEnvironmentFile(file);
  if (file.fault === null) return [{ ...identity, ok: true, detail }];
  return [{ ...identity, ok: true, detail, remedy: "Read it. If you trust it, run: bridle trust" }];
}
