/**
 * Writes the table of features by backend into docs/reference/backends.md from the results of the conformance suite, which this script runs
 * on every backend within some minutes. `npm test` compares the table with the results of its own run.
 */
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { enterCleanEnvironment } from "./clean-environment.ts";
import { root } from "./packages.ts";
import { reportSchema, suiteFiles, withFeatures } from "./reference/features.ts";

enterCleanEnvironment();
process.env.PATH = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);

const document = join(root, "docs/reference/backends.md");
const folder = mkdtempSync(join(tmpdir(), "bridle-features-"));
try {
  const report = join(folder, "report.json");
  const suites = globSync("packages/{*,hosts/*}/tests/conformance.test.ts", { cwd: root }).filter((path) =>
    suiteFiles.test(path),
  );
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  execFileSync("vitest", ["run", ...suites, ...reporters], { cwd: root, stdio: "inherit" });
  const results = reportSchema.parse(JSON.parse(readFileSync(report, "utf8")));
  writeFileSync(document, withFeatures(readFileSync(document, "utf8"), results));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
