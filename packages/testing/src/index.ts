export type { TestRun } from "./result/test-run.ts";
