import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { codeContent } from "./code-content.ts";

test("imports are found after a megabyte of blanks, in every form of an import", () => {
  const folder = mkdtempSync(join(tmpdir(), "bridle-code-content-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const blanks = " ".repeat(1_000_000);
  const code = `import${blanks}x; import a from "./a.js"; import("./b.js"); require ( './c.js' );`;
  for (const name of ["a.js", "b.js", "c.js"]) writeFileSync(join(folder, name), "");
  writeFileSync(join(folder, "main.js"), code);
  const paths = codeContent("main.js", folder).files.map(([path]) => path);
  expect(paths).toEqual(["a.js", "b.js", "c.js", "main.js"].map((name) => join(folder, name)));
});
