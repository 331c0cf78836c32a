import { expect, test } from "vitest";
import { startCommand } from "../support/command.ts";
import { openTestStage } from "../support/test-fixture.ts";

const byOne = ["test", "--parallel", "1"];

test("Ctrl-C keeps finished cases and prints the command to resume, which repeats no request", async () => {
  const { place, asked, environment } = await openTestStage({ delayMs: 700 });
  const first = startCommand(byOne, place, environment);
  await first.shows("✓ two");
  first.child.kill("SIGINT");
  expect(await first.ended).toBe(130);
  expect(first.stdout()).toMatch(/2 of 4 cases passed, 2 not run\n/);
  expect(first.stderr()).toMatch(
    /Interrupted by SIGINT\. 2 of 4 cases have ended, and are stored\. To resume:\n {2}bridle test /,
  );
  const [, words = ""] = / {2}bridle (test .*)\n/.exec(first.stderr()) ?? [];
  const second = startCommand(words.split(" "), place, environment);
  expect(await second.ended).toBe(1);
  expect(second.stdout()).toMatch(/3 of 4 cases passed, 1 failed\n/);
  const counts = asked();
  expect(counts).toMatchObject({ one: 1, two: 1, four: 1 });
});

test("kill -9 keeps finished cases, and --resume runs only the remaining ones", async () => {
  const { place, asked, environment } = await openTestStage({ delayMs: 700 });
  const first = startCommand(byOne, place, environment);
  await first.shows("✓ two");
  first.child.kill("SIGKILL");
  expect(await first.ended).toBe("SIGKILL");
  const list = startCommand(["test", "history"], place, environment);
  await list.ended;
  expect(list.stdout()).toMatch(/2 of 4 cases passed, .*unfinished/);
  const second = startCommand(["test", "--resume", "--json"], place, environment);
  expect(await second.ended).toBe(1);
  expect(second.stderr()).toMatch(/^2 trials ran before\. They do not run again\.\n/);
  expect(JSON.parse(second.stdout())).toMatchObject({
    state: "finished",
    resumed: 1,
    cases: [{ name: "one" }, { name: "two" }, { name: "three", outcome: "failed" }, { name: "four" }],
  });
  expect(asked()).toMatchObject({ one: 1, two: 1, four: 1 });
});
