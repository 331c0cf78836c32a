import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Finds a Node.js on the `PATH` that Bridle does not support, such as the system's; undefined if there is none. */
export function findOldNode(): string | undefined {
  const programs = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "node"));
  return programs.filter((program) => existsSync(program)).find(isOld);
}

function isOld(program: string): boolean {
  const version = execFileSync(program, ["--version"], { encoding: "utf8", env: {} });
  return Number(/^v(\d+)\./.exec(version)?.[1]) < 22;
}
