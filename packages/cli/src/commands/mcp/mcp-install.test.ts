import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../../command/cli-for-tests.ts";

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
    cwd: home,
    environment: { HOME: home, CODEX_HOME: home },
    typed: [answer],
  });
  expect(result.code).toBe(code);
  expect(result.stderr).toContain("+[mcp_servers.bridle]");
  expect(result.stderr).toContain("Write this? [y/N]");
  expect(readFileSync(path, "utf8").includes("bridle")).toBe(isWritten);
});

test.each([
  ["user", false],
  ["project", true],
])("installed in a project, the entry of the scope %s starts npx: %j", async (scope, startsNpx) => {
  const home = mkdtempSync(join(tmpdir(), "bridle-install-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, "node_modules", ".bin"), { recursive: true });
  writeFileSync(join(home, "node_modules", ".bin", "bridle"), "");
  writeFileSync(join(home, "bridle.yaml"), "");
  const words = ["mcp", "install", "--client", "claude-code", "--scope", scope, "--dry-run"];
  const { stdout } = await runCli(words, { cwd: home, environment: { HOME: home } });
  expect(stdout.includes("npx")).toBe(startsNpx);
  expect(stdout.includes(join("bin", "bridle.js"))).toBe(!startsNpx);
});
