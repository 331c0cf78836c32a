import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeFakeLogin } from "./fake-login.ts";

test("the fake login has not expired, and only its owner can read it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bridle-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFakeLogin(join(folder, "config"));
  const file = join(folder, "config", ".credentials.json");
  const { claudeAiOauth } = JSON.parse(await readFile(file, "utf8"));
  expect(claudeAiOauth).toMatchObject({ accessToken: expect.stringContaining("rehearsal"), subscriptionType: "max" });
  expect(claudeAiOauth.expiresAt).toBeGreaterThan(Date.now());
  expect((await stat(file)).mode & 0o077).toBe(0);
});
