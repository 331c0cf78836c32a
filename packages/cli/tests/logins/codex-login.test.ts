/** Tests the real command and the real Codex, with a made-up ChatGPT login. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy, writeFakeCodexLogin } from "@bridle/rehearsal/tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, finishCommand, type Place, startCommand } from "../support/command.ts";

let place: Place;
beforeEach(async () => {
  place = await createPlace();
});
afterEach(() => place.remove());

const script = defineScript({
  rehearsal: 1,
  turns: [
    { when: { user: "used up" }, steps: [{ limit: { resets_in_seconds: 3600 }, forever: true }] },
    { steps: [{ say: "ok" }] },
  ],
});

const ended = (words: readonly string[], folder: string, extra: Record<string, string>) =>
  finishCommand(startCommand(words, { ...place, project: join(place.project, folder) }, extra));

test("init finds a Codex login, runs use it, and status shows its used-up window", async () => {
  const rehearsal = await startRehearsal({ script });
  const tlsProxy = await startTlsProxy({ rehearsal, folder: place.home, hosts: ["chatgpt.com"] });
  const { environment } = tlsProxy;
  try {
    const without = await ended(["init", "empty", "--yes"], ".", environment);
    expect(without.stdout).toMatch(/Codex login: none\. To set it up: run "codex login" once/);
    await writeFakeCodexLogin(join(place.home, ".codex"));

    const made = await ended(["init", "desk", "--yes"], ".", environment);
    expect(made.stdout).toContain("Codex login: works (checked with one short request)");
    expect(await readFile(join(place.project, "desk/bridle.yaml"), "utf8")).toMatch(/backend: codex(.*\n)*.*gpt-6-sol/);

    const answered = await ended(["run", "Hello?"], "desk", environment);
    expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining("ok") });
    const refused = await ended(["run", "--on-usage-limit", "fail", "used up?"], "desk", environment);
    expect(refused.stderr).toContain("The usage window five_hour is used up. It opens again in 1 hour");
    const { stdout } = await ended(["status"], "desk", environment);
    expect(stdout).toMatch(/Backend +codex \(codex 0\.169\.0/);
    expect(stdout).toContain("the window five_hour is used up until");
  } finally {
    await tlsProxy.close();
    await rehearsal.close();
  }
});
