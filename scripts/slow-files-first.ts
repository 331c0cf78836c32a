import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { root } from "./packages.ts";

/** The slowest test files, slowest first. If such a file started last, one core would be busy while the others are idle. */
const slowest = [
  /^tests\/code-blocks\/part-/,
  /\/report-browser\.test\.ts$/,
  /\/init\.test\.ts$/,
  /^tests\/(references|consumer|crashes|example-agents)/,
  /\/boundary\.test\.ts$/,
  /\/(native-sessions|native-resume|pool|processes|turns|leaks)\.test\.ts$/,
  /\/(chat-terminal|test-terminal|faults|sessions|run|approvals|leaving)\.test\.ts$/,
  /^tests\//,
  /\/tests\//,
];

/** Starts slow test files first, so that all workers finish at about the same time. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const path = relative(root, moduleId);
  const found = slowest.findIndex((pattern) => pattern.test(path));
  return found < 0 ? slowest.length : found;
}
