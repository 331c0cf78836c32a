/**
 * Checks with "Are the types wrong?" that every entry of the published packages leads TypeScript to the declarations of the module that
 * Node.js loads. This checks the build output.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { filterProblems } from "@arethetypeswrong/core/problems";
import { runCommand } from "./run-command.ts";

/** The packages are ES modules with `exports`, so failures of CommonJS, and of resolution without `exports`, are ignored. */
const resolutions = ["node16-esm", "bundler"] as const;

const folder = mkdtempSync(join(tmpdir(), "bridle-entries-"));
try {
  const { code, output } = await runCommand("node", ["scripts/pack.ts", folder, "--built"]);
  if (code !== 0) throw new Error(output);
  const archives = readdirSync(folder);
  const problems = (await Promise.all(archives.map(problemsOf))).flat();
  for (const problem of problems) console.log(JSON.stringify(problem));
  console.log(`${archives.length} packages, ${problems.length} problems`);
  if (problems.length > 0 || archives.length === 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

async function problemsOf(archive: string): Promise<object[]> {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(join(folder, archive))));
  if (!result.types) return [{ archive, kind: "NoTypes" }];
  const found = resolutions.flatMap((resolutionKind) => filterProblems(result, { resolutionKind }));
  return found.map((problem) => ({ archive, ...problem }));
}
