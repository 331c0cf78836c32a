/** Tests that a run waits while another process uses its session, at most for the `--timeout`. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { createPlace, finishCommand, startCommand } from "../support/command.ts";

test("--timeout bounds the wait for a session that another process has, with exit code 1 and the reason", {
  timeout: 300_000,
}, async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const rehearsal: Rehearsal = await startRehearsal({
    model: async ({ user }) => {
      if (user.includes("first")) {
        asked.resolve();
        await answer.promise;
      }
      return { say: `Done: ${user}` };
    },
  });
  const place = await createPlace();
  onTestFinished(async () => {
    answer.resolve();
    await place.remove();
    await rehearsal.close();
  });
  const provider = `{ backend: anthropic, apiKey: key-of-test, baseUrl: "${rehearsal.url}" }`;
  await writeFile(join(place.project, "bridle.yaml"), `llm: { provider: ${provider} }\n`);
  const run = (...words: string[]) => startCommand(["run", "--session", "busy", ...words], place);

  const first = run("The first request");
  await asked.promise;
  const second = await finishCommand(run("--timeout", "2", "The second request"));
  expect(second).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^The session busy has a run in the process \d+\. Waiting until it has ended\.\nThe session was busy for the whole time limit of the run, so it did not begin\. Allow more time\.\n$/,
    ),
  });

  answer.resolve();
  expect(await finishCommand(first)).toMatchObject({ code: 0, stdout: expect.stringContaining("Done: ") });
  const third = await finishCommand(run("--timeout", "60", "The third request"));
  expect(third).toMatchObject({ code: 0, stdout: expect.stringContaining("third request") });
});
