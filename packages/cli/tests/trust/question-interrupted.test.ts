import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { hasTmux, openTerminal } from "../support/terminal.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "bridle-asked-")));
afterAll(() => rmSync(top, { recursive: true, maxRetries: 5 }));
const [folder, home] = [join(top, "desk"), join(top, "home")];
mkdirSync(folder);
mkdirSync(home);
const files = {
  "bridle.yaml": "",
  "agent.yaml": `name: desk
instructions: { inline: Be kind. }
tools: [{ type: function, name: f, file: tools.mjs, function: f }]
test_cases: [{ name: one, input: Hi }]
`,
  "tools.mjs": "export const f = () => 1;\n",
  "script.yaml": "rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]\n",
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

describe.skipIf(!hasTmux)("a question about trust in a real terminal (needs tmux)", () => {
  test.each([
    "run --agent agent.yaml --rehearse script.yaml Hi",
    "chat --rehearse script.yaml",
    "test --rehearse script.yaml",
    "web --rehearse script.yaml --port 0",
    "serve --rehearse script.yaml --port 0",
  ])("the first Ctrl-C at the question of bridle %s ends the command", { timeout: 120_000 }, async (words) => {
    const environment = { PATH: process.env.PATH ?? "", HOME: home };
    const { shows, key } = openTerminal(words.split(" "), { cwd: folder, environment, rows: 40 });
    await shows("[y/N]");
    key("C-c");
    const ended = await shows("Ended with");
    expect(ended).toMatch(
      /\[y\/N\] \^C\s+The question was stopped: interrupted by SIGINT\. Nothing was used\.\nEnded with 130\./,
    );
  });

  test("the remedy of a refusal stands on one line of 80 columns", { timeout: 120_000 }, async () => {
    const environment = { PATH: process.env.PATH ?? "", HOME: home };
    const words = "run --agent agent.yaml --rehearse script.yaml Hi".split(" ");
    const { shows, type } = openTerminal(words, { cwd: folder, environment, rows: 40 });
    await shows("[y/N]");
    await sleep(200); // an answer within 50 ms was typed before the question, and is dropped
    type("n");
    expect(await shows("Ended with 3.")).toMatch(/^(?:│ )?(?:.* )?(?:npx )?(?:bridle|node \S+) trust agent\.yaml\b/m);
  });
});
