/** Checks the types that applications need to write functions around Bridle's own. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";

test("the public entries export every type that their declarations use", () => {
  const folder = mkdtempSync(join(tmpdir(), "bridle-compiler-"));
  try {
    const options = ["--no-save", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
    execFileSync("npm", ["install", ...options, "typescript@5.9"], { cwd: folder, stdio: "pipe" });
    const entries = ["index", "agent", "context", "testing", "types", "vitest"].map((name) =>
      join(root, `packages/bridle/dist/${name}.d.ts`),
    );
    const program = join(import.meta.dirname, "support/unexported-types.js");
    const printed = execFileSync("node", [program, join(folder, "node_modules/typescript"), ...entries]);
    expect(JSON.parse(printed.toString())).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
