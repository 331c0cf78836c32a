import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCommand } from "../support/command.ts";
import { openTestStage } from "../support/test-fixture.ts";

const bodies: readonly [grader: string, body: string, reason: RegExp][] = [
  ["leaves", "process.exit(0);", /leaves of graders\.ts threw .*: it called process\.exit\(0\)/],
  ["leavesLater", "setTimeout(() => process.exit(0), 10); await wait(2_000);", /it called process\.exit\(0\)/],
  ["forgets", 'void Promise.reject(new Error("forgotten"));', /forgets of graders\.ts threw .*: forgotten/],
  ["throwsLater", 'setTimeout(() => { throw new Error("late"); }, 10); await wait(2_000);', /: late/],
  ["prints", 'console.log("printed");', /^$/],
];

test("an error of a grader after its last result is reported, and the tests exit with 1", {
  timeout: 120_000,
}, async () => {
  const { place, environment } = await openTestStage();
  const run = async (body: string) => {
    await writeFile(join(place.project, "graders.ts"), `export const grade = async () => { ${body} return 1; };`);
    const metric = "{ type: code, name: mine, file: graders.ts, function: grade }";
    const agent = `name: desk\ninstructions: { inline: Help. }\ntest_cases: [{ input: Hi, evaluations: [${metric}] }]\n`;
    await writeFile(join(place.project, "agent.yaml"), agent);
    const command = startCommand(["test", "--json"], place, environment);
    const code = await command.ended;
    return { code, stderr: command.stderr(), passed: JSON.parse(command.stdout()).summary.passed };
  };
  const late = await run('setTimeout(() => { throw new Error("too late"); }, 60);');
  expect(late).toMatchObject({ code: 1, passed: 1 });
  expect(late.stderr).toContain("grade of graders.ts failed after it had returned its result: too late.");
  expect(await run("setTimeout(() => {}, 60);")).toMatchObject({ code: 0, passed: 1 });
});

test("a grader that fails outside its call fails only its own case", async () => {
  const { place, environment } = await openTestStage();
  const graders = bodies.map(([name, body]) => `export const ${name} = async () => { ${body} return 1; };`);
  const wait = 'import { setTimeout as wait } from "node:timers/promises";';
  await writeFile(join(place.project, "graders.ts"), [wait, ...graders].join("\n"));
  const cases = bodies.map(([name]) => {
    const metric = `{ type: code, name: ${name}, file: graders.ts, function: ${name} }`;
    return `  - { name: ${name}, input: Question ${name}, evaluations: [${metric}] }`;
  });
  const agent = ["name: desk", "instructions: { inline: Help. }", "test_cases:", ...cases].join("\n");
  await writeFile(join(place.project, "agent.yaml"), agent);
  const command = startCommand(["test", "--json"], place, environment);
  expect(await command.ended).toBe(1);
  const { state, summary, cases: results } = JSON.parse(command.stdout());
  expect({ state, ...summary }).toMatchObject({ state: "finished", cases: 5, passed: 1, failed: 4, notRun: 0 });
  for (const [index, [name, , reason]] of bodies.entries()) {
    const { failures } = results[index].trials[0];
    expect(failures[0]?.message ?? "", name).toMatch(reason);
  }
});
