import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { enterCleanEnvironment } from "./scripts/clean-environment.ts";
import { SlowFilesFirst } from "./scripts/slow-files-first.ts";
import { onlyInSoak } from "./scripts/soak-files.ts";

enterCleanEnvironment();

const unitTests = "packages/{*,hosts/*,stores/*}/src/**/*.test.ts";
const processTests = ["packages/{*,hosts/*,stores/*}/tests/**/*.test.ts", "tests/**/*.test.ts"];
/** `npm test` leaves these out. A file that you name runs in any case. */
const left = process.env.WITHOUT_SOAK ? [...onlyInSoak.keys()] : [];
/** Unit tests that replace modules, variables or the clock, which the next file of the same worker would see. */
const replacing = globSync([unitTests, ...processTests], { exclude: left }).filter((file) =>
  /\bvi\.(?!fn\b)|process\.chdir|process\.env\.\w+ = |process\.on\(/.test(readFileSync(file, "utf8")),
);

/** Files that share the modules they import with others of the same worker: linking takes longer than most unit tests. */
const sharing = {
  name: "unit",
  include: [unitTests, ...processTests],
  exclude: [...replacing, ...left],
  isolate: false,
};
const isolated = { name: "isolated", include: replacing };

export default defineConfig({
  test: {
    maxWorkers: 4, // tests often wait for the processes that they start
    globalSetup: "scripts/build-command.ts",
    sequence: { sequencer: SlowFilesFirst },
    projects: [isolated, sharing].map((project) => ({
      ssr: { resolve: { conditions: ["@bridle/source"] } },
      test: { ...project, testTimeout: 300_000, hookTimeout: 300_000 },
    })),
  },
});
