import { describe, expect, onTestFinished, test } from "vitest";
import { createPlace, startCommand } from "../support/command.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";
import { openTestStage } from "../support/test-fixture.ts";

describe.skipIf(!hasTmux)("bridle test in a real terminal (needs tmux)", () => {
  async function open(words: readonly string[], size: { columns: number; rows: number }, delayMs: number) {
    const { place, environment } = await openTestStage({ delayMs });
    const variables = { ...environment, HOME: place.home, PATH: place.environment.PATH ?? "", BRIDLE_TRUST: "all" };
    return openTerminal(["test", ...words], { cwd: place.project, environment: variables, ...size });
  }

  test("shows running cases with their time, then the results, and erases the progress", async () => {
    const { shows, screen } = await open(["--parallel", "2"], { columns: 80, rows: 24 }, 2500);
    const running = await shows(/ {2}one [1-9] s\n {2}two [1-9] s\n0 passed · 4 of 4 left · \d s$/);
    expect(running.trimStart()).toMatch(/^one /);
    await shows(/✓ (one|two) \(.*\)\n[\s\S]*passed · \d of 4 left · \d s/);
    const ended = await shows("Ended with 1.");
    expect(ended).toMatch(/✓ four \(.*\)\n\n✗ three \(/);
    expect(ended).toContain("3 of 4 cases passed, 1 failed\n");
    expect(screen(true)).not.toContain(" left ·");
  });

  test("fits a narrow terminal, even one that becomes narrow during the run", async () => {
    const { shows, resize, screen } = await open(["--parallel", "4"], { columns: 100, rows: 20 }, 3000);
    await shows(/ {2}four \d+ s\n/);
    resize(40, 20);
    const ended = await shows("Ended with 1.", { history: true });
    expect(screen(true)).not.toContain(" left ·");
    expect(ended).toMatch(/✗ three \(\d.*\)\n {2}asked {5}Question three\n/);
  });

  test("a terminal that does not report its width shows the progress and the results", async () => {
    const { shows, screen } = await open([], { columns: 0, rows: 24 }, 1500);
    await shows(/ {2}four \d+ s\n/);
    await shows("Ended with 1.");
    expect(screen(true)).toContain("3 of 4 cases passed, 1 failed\n");
  });

  test("Ctrl-C stops at once, and the output has the command to resume", async () => {
    const { shows, key } = await open([], { columns: 80, rows: 24 }, 200_000);
    await shows(/ {2}four \d+ s\n/);
    key("C-c");
    const ended = await shows(/Ended with 130\.|--resume/);
    expect(ended).toMatch(
      /Interrupted by SIGINT\. 0 of 4 cases have ended, and are stored\. To resume:\n {2}bridle test --resume \S+/,
    );
  });
});

test("a pipe gets only the result, without colours", async () => {
  const { place, environment } = await openTestStage();
  const { ended, stdout, stderr } = startCommand(["test", "--case", "three"], place, environment);
  expect(await ended).toBe(1);
  expect(stdout()).toMatch(/^✗ three \(/);
  expect(stderr()).toMatch(/^✗ three \(.*\): .*\n$/);
  expect(stdout() + stderr()).not.toContain("\u001b");
});

test("one case of a new project fails, and the report has the reason and the command to inspect the case", {
  timeout: 120_000,
}, async () => {
  const place = await createPlace();
  onTestFinished(() => place.remove());
  const environment = { ANTHROPIC_API_KEY: "k" };
  await startCommand(["init", "desk", "--yes", "--provider", "anthropic"], place, environment).ended;
  const words = ["test", "desk/agent.yaml", "--rehearse", "desk/rehearsal.yaml", "--project-dir", "desk"];
  const { ended, stdout, stderr } = startCommand(words, place, environment);
  const code = await ended;
  expect({ code, stderr: stderr() }).toMatchObject({ code: 1, stderr: expect.stringMatching(/^✓ finds an order /m) });
  expect(stdout()).toMatch(/^\d+ of \d+ cases passed, 1 failed$/m);
  expect(stdout()).toMatch(
    / {2}asked {5}.*\n[\s\S]* {2}answered {2}[\s\S]* {2}why {7}[\s\S]* {2}see {7}bridle test show /,
  );
});
