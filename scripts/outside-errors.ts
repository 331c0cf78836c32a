/** A reporter for Vitest that writes the number of errors outside of any test to the file that `OUTSIDE_ERRORS` names. */
import { writeFileSync } from "node:fs";
import type { Reporter } from "vitest/node";

export default class OutsideErrors implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly unknown[]): void {
    writeFileSync(process.env.OUTSIDE_ERRORS ?? "", String(errors.length));
  }
}
