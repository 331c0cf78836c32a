import { expect, test } from "vitest";
import { requirePrograms, skipsWithout } from "./postgres-cluster.ts";

test.each([
  [undefined, {}, true],
  [undefined, { CI: "" }, true],
  [undefined, { CI: "false" }, true],
  [undefined, { CI: "0" }, true],
  [undefined, { CI: "true" }, false],
  [undefined, { CI: "1" }, false],
  ["/usr/lib/postgresql/15/bin", {}, false],
  ["/usr/lib/postgresql/15/bin", { CI: "true" }, false],
])(
  "with the programs %s and the variables %o, tests of PostgreSQL are skipped: %s",
  (programs, environment, isSkipped) => {
    expect(skipsWithout(programs, environment)).toBe(isSkipped);
  },
);

test("without its programs, a test of PostgreSQL that is not skipped fails with a sentence", () => {
  expect(() => requirePrograms(undefined)).toThrow(
    "PostgreSQL is not installed, and CI is set, so its tests are not skipped. Install Debian's package postgresql, or unset CI.",
  );
  expect(requirePrograms("/usr/lib/postgresql/15/bin")).toBe("/usr/lib/postgresql/15/bin");
});
