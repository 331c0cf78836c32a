import { expect, test } from "vitest";
import { checkClaudeInstallation } from "./checks.ts";

test("a missing binary fails the check of the installation, with what to do", () => {
  expect(checkClaudeInstallation(() => undefined)).toMatchObject({
    ok: false,
    remedy: expect.stringContaining("npm install"),
  });
  expect(checkClaudeInstallation()).toMatchObject({ ok: true, detail: expect.stringContaining("claude-agent-sdk") });
});
