import { mkdtempSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { build } from "tsdown";
import { expect, onTestFinished, test } from "vitest";

test("the protocol bundles for a browser with Zod alone, and runs without Node.js", async () => {
  const outDir = mkdtempSync(join(tmpdir(), "bridle-browser-"));
  onTestFinished(() => rmSync(outDir, { recursive: true, force: true }));
  const bundles = await build({
    config: false,
    cwd: join(import.meta.dirname, ".."),
    entry: { protocol: "./src/index.ts" },
    outDir,
    format: "iife",
    globalName: "protocol",
    platform: "browser",
    dts: false,
    report: false,
    logLevel: "silent",
    deps: { alwaysBundle: /^/, onlyBundle: false },
  });
  const [chunk] = bundles.flatMap(({ chunks }) => chunks).filter(({ type }) => type === "chunk");
  if (chunk?.type !== "chunk") throw new Error("The build made no file.");
  expect([...chunk.imports, ...chunk.dynamicImports].filter((name) => isBuiltin(name))).toEqual([]);
  const packages = chunk.moduleIds.map((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]);
  expect([...new Set(packages)].filter((name) => name !== undefined)).toEqual(["zod"]);
  const sandbox = { result: "", TextEncoder, URL, queueMicrotask };
  const program = `${chunk.code}\nresult = protocol.buildHistory([]).length + protocol.formatDuration(1200) + protocol.isBridleError(1);`;
  runInNewContext(program, sandbox);
  expect(sandbox.result).toBe("01.2 sfalse");
});
