import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../../command-line/cli-for-tests.ts";

test.each([
  ["y", 0, true],
  ["no", 1, false],
  ["", 1, false],
])("bridle mcp install shows the difference and asks; the answer %j ends with %i", async (answer, code, isWritten) => {
  const home = mkdtempSync(join(tmpdir(), "bridle-install-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const path = join(home, "config.toml");
  writeFileSync(path, 'model = "m"\n');
  const result = await runCli(["mcp", "install", "--client", "codex"], {
    ...{ cwd: home, environment: { HOME: home, CODEX_HOME: home }, typed: [answer] },
  });
  expect(result.code).toBe(code);
  expect(result.stderr).toContain("+[mcp_servers.bridle]");
  expect(result.stderr).toContain("Write this? [y/N]");
  expect(readFileSync(path, "utf8").includes("bridle")).toBe(isWritten);
});
