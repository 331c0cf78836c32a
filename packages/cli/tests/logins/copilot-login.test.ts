/** Tests the real command and the real Copilot runtime, with a made-up GitHub login. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { copilotHosts, startTlsProxy, writeFakeCopilotLogin } from "@bridle/rehearsal/tls";
import { expect, onTestFinished, test } from "vitest";
import { createPlace, finishCommand, startCommand } from "../support/command.ts";

test("init finds a GitHub login, runs use it, and models and status show it", async () => {
  const place = await createPlace();
  const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Hello from Copilot." }] }] });
  const rehearsal = await startRehearsal({ script });
  const tlsProxy = await startTlsProxy({ rehearsal, folder: place.home, hosts: copilotHosts });
  onTestFinished(async () => {
    await tlsProxy.close();
    await rehearsal.close();
    await place.remove();
  });
  await writeFakeCopilotLogin(join(place.home, ".copilot"));
  const extra = { ...tlsProxy.environment, GH_TOKEN: "gho_not_used" };
  const ended = (words: readonly string[], folder: string) =>
    finishCommand(startCommand(words, { ...place, project: join(place.project, folder) }, extra));

  const init = await ended(["init", "desk", "--yes"], ".");
  expect(init.stdout).toContain("GitHub Copilot login: works");
  expect(rehearsal.requests.some(({ method }) => method === "POST")).toBe(false);
  const yaml = await readFile(join(place.project, "desk/bridle.yaml"), "utf8");
  expect(yaml).toMatch(/backend: copilot\n +auth: session\n(.*\n)*.*claude-sonnet-5/);

  const answered = await ended(["run", "Hello?"], "desk");
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining("Hello from Copilot.") });
  const { stdout: models } = await ended(["models"], "desk");
  expect(models).toMatch(/^gpt-6-sol +180k/m);
  const { stdout: status } = await ended(["status"], "desk");
  expect(status).toMatch(/Auth +session \(not checked; bridle doctor --live does\)/);
  expect(status).toContain("set in the environment, and not used: GH_TOKEN");
  expect(new Set(rehearsal.requests.map(({ headers }) => headers.authorization))).toEqual(
    new Set(["Bearer gho_rehearsal"]),
  );
});
