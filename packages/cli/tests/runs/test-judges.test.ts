import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCommand } from "../support/command.ts";
import { openTestStage } from "../support/test-fixture.ts";

const agent = `name: desk
instructions: { inline: Help. }
test_cases:
  - name: greets
    input: Hi
    evaluations:
      - { type: standard, metric: contains, value: Hello, threshold: 1 }
      - { type: geval, name: Kind, criteria: The answer is kind., threshold: 0.5 }
`;

/** Runs the tests with a script that plays only the agent. */
async function testWith(judges: string, ...words: string[]) {
  const { place, environment } = await openTestStage();
  await writeFile(join(place.project, "agent.yaml"), agent);
  const script = `rehearsal: 1\n${judges}turns: [{ steps: [{ say: Hello. }] }]\n`;
  await writeFile(join(place.project, "script.yaml"), script);
  const command = startCommand(["test", "--json", "--rehearse", "script.yaml", ...words], place, environment);
  const code = await command.ended;
  const { cases, warnings } = JSON.parse(command.stdout());
  const metrics = cases[0].trials[0].turns.flatMap((turn: { metrics: object[] }) => turn.metrics);
  return { code, metrics, warnings: JSON.stringify(warnings) + command.stderr() };
}

test("a rehearsal answers its judges itself: all pass, or all fail", async () => {
  expect(await testWith("judges: pass\n")).toMatchObject({ code: 0, metrics: [{}, { name: "Kind", score: 1 }] });
  const failed = await testWith("judges: fail\n");
  expect(failed).toMatchObject({ code: 1, metrics: [{ score: 1 }, { name: "Kind", score: 0, outcome: "failed" }] });
  expect(failed.metrics[1].reason).toBe('no model judged: the rehearsal sets "judges: fail"');
});

test("without judges, their metrics are left out, and a warning says how many", async () => {
  const { code, metrics, warnings } = await testWith("judges: fail\n", "--no-judges");
  expect({ code, names: metrics.map(({ name }: { name: string }) => name) }).toEqual({
    code: 0,
    names: ['contains "Hello"'],
  });
  expect(warnings).toContain("1 metric of judges left out, because judges are off.");
});
