import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeMadeUpLogin } from "./made-up-login.ts";

test("the made-up login has not run out, and only its owner can read it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bridle-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeMadeUpLogin(join(folder, "config"));
  const file = join(folder, "config", ".credentials.json");
  const { claudeAiOauth } = JSON.parse(await readFile(file, "utf8"));
  expect(claudeAiOauth).toMatchObject({ accessToken: expect.stringContaining("rehearsal"), subscriptionType: "max" });
  expect(claudeAiOauth.expiresAt).toBeGreaterThan(Date.now());
  expect((await stat(file)).mode & 0o077).toBe(0);
});
