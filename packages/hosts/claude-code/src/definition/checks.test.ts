import { expect, test } from "vitest";
import { checkInstallation } from "./checks.ts";

test("a missing binary fails the check of the installation, with what to do", () => {
  expect(checkInstallation(() => undefined)).toMatchObject({
    ok: false,
    remedy: expect.stringContaining("npm install"),
  });
  expect(checkInstallation()).toMatchObject({ ok: true, detail: expect.stringContaining("claude-agent-sdk") });
});
