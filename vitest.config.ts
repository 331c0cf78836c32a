import { defineConfig } from "vitest/config";
import { enterCleanEnvironment } from "./scripts/clean-environment.ts";
import { SlowFilesFirst } from "./scripts/slow-files-first.ts";

enterCleanEnvironment();

export default defineConfig({
  ssr: { resolve: { conditions: ["@bridle/source"] } },
  test: {
    include: ["packages/{*,hosts/*,stores/*}/{src,tests}/**/*.test.ts", "tests/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    sequence: { sequencer: SlowFilesFirst },
  },
});
