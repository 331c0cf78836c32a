import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The program of the process beside this file: in TypeScript among the sources, in JavaScript in a built package. */
export function locateProgram(): { readonly program: string; readonly conditions: readonly string[] } {
  const isSource = import.meta.url.endsWith(".ts");
  const program = fileURLToPath(new URL(`./sqlite-process.${isSource ? "ts" : "js"}`, import.meta.url));
  if (existsSync(program)) return { program, conditions: isSource ? ["--conditions=@bridle/source"] : [] };
  throw new Error(
    `The program that reads SQLite files is missing: ${program}. If a bundler packs your application, leave @bridle/warehouse out of the bundle.`,
  );
}
