import { join } from "node:path";
import { bridleFolder } from "@bridle/project";

/** Where the results of a project's tests are kept, or of its namespace: a file for each invocation. */
export function testRunsFolder(whose: Parameters<typeof bridleFolder>[0]): string {
  return join(bridleFolder(whose), "test-runs");
}
