// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a file refers to the environment
/** Tests removed rules. They let more calls run, so the user is asked about them as about new effects. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, clone, type Files, run, useClones } from "./clone-fixture.ts";

useClones();

const mcp = `tools: [{ type: mcp, name: m, command: sh, args: ["-c", "exit"] }]`;
const deny = "{ tool: Bash, then: deny }";
const ask = "{ tool: Write, when: { path: secrets }, then: ask }";
const policy = (lines: string) => `policy: { ${lines} }`;
const none = "no rules: every tool runs without a question";

interface Change {
  readonly before: Files;
  readonly after: Files;
  /** Returns the parts of the lines that are marked as new and as removed. */
  readonly added: string;
  readonly gone: string;
}

const ofProject = (before: string, after: string, added: string, gone: string): Change => ({
  before: { "bridle.yaml": before },
  after: { "bridle.yaml": after },
  added,
  gone,
});
const ofAgent = (before: string, after: string, added: string, gone: string): Change => ({
  before: { "agent.yaml": agent(before) },
  after: { "agent.yaml": agent(after) },
  added,
  gone,
});
const alone = (rest: string) => `rules: ${rest}`;

const changes: readonly (readonly [what: string, change: Change])[] = [
  ...["yolo", "auto"].flatMap((mode) =>
    [ofProject, ofAgent].flatMap((of): (readonly [string, Change])[] => {
      const where = of === ofProject ? "bridle.yaml" : "an agent file";
      const [left, full] = [`mode: ${mode}`, `mode: ${mode}, rules: [${deny}, ${ask}]`];
      return [
        [
          `a deny rule and a rule that asks are removed under the mode ${mode} of ${where}`,
          of(policy(full), policy(left), alone(`mode ${mode}`), "deny Bash; ask Write if path matches secrets"),
        ],
        [
          `only a rule that asks is removed under the mode ${mode} of ${where}`,
          of(policy(full), policy(`${left}, rules: [${deny}]`), alone(`mode ${mode}; deny Bash`), "ask Write"),
        ],
        [
          `an annotation is no longer denied under the mode ${mode} of ${where}`,
          of(policy(`${left}, annotations: { openWorld: deny }`), policy(left), `mode ${mode}`, "deny openWorld tools"),
        ],
        [
          `a disabled tool comes back under the mode ${mode} of ${where}`,
          of(policy(`${left}, disable: [Bash]`), policy(left), `mode ${mode}`, "without Bash"),
        ],
      ];
    }),
  ),
  [
    "the order of rules changes",
    ofProject(
      policy(`rules: [${deny}, { tool: "*", then: allow }]`),
      policy(`rules: [{ tool: "*", then: allow }, ${deny}]`),
      "allow *; deny Bash",
      "deny Bash; allow *",
    ),
  ],
  [
    "the policy of an agent with tools is removed",
    ofAgent(`${mcp}\n${policy("mode: normal")}`, mcp, none, "mode normal"),
  ],
  [
    "a rule of an agent with tools is removed, and its mode asks",
    ofAgent(
      `${mcp}\n${policy(`rules: [${deny}]`)}`,
      `${mcp}\n${policy("rules: []")}`,
      alone("mode normal"),
      "deny Bash",
    ),
  ],
  [
    "the policy of the project is removed, and an agent with tools has no own",
    {
      before: { "bridle.yaml": policy(`mode: ask, rules: [${deny}]`), "agent.yaml": agent(mcp) },
      after: { "bridle.yaml": "" },
      added: none,
      gone: "deny Bash",
    },
  ],
  [
    "the mode of a host's block is removed",
    ofAgent(
      `${mcp}\nclaude: { permission_mode: manual }`,
      `${mcp}\nclaude: { effort: low }`,
      "no rules",
      "permission_mode",
    ),
  ],
  [
    "a variable takes the place of a pattern",
    ofProject(
      policy(`mode: yolo, rules: [${ask}]`),
      policy(`mode: yolo, rules: [${ask.replace("secrets", "'${SHOP_TOKEN}'")}]`),
      "ask Write if path matches ${SHOP_TOKEN}",
      "ask Write if path matches secrets",
    ),
  ],
];

test.each(changes)("it is asked again, with the difference, if %s", async (_what, { before, after, added, gone }) => {
  const place = clone({ "agent.yaml": agent(), ...before });
  expect(await run("trust", place)).toMatchObject({ code: 0 });
  expect(await run("trust --show", place)).toMatchObject({ code: 0 });
  for (const [name, text] of Object.entries(after)) writeFileSync(join(place.cwd, name), text);
  const { code, stdout } = await run("trust --show", place);
  const lines = (sign: string) => stdout.split("\n").filter((line) => line.startsWith(`${sign} `));
  expect({ code, stdout }).toMatchObject({ code: 3, stdout: expect.not.stringContaining("top-secret") });
  expect(lines("+")).toContainEqual(expect.stringContaining(added));
  expect(lines("-")).toContainEqual(expect.stringContaining(gone));
  expect(await run("run --agent agent.yaml Hi", place)).toMatchObject({ code: 3, stdout: "" });
});

test.each([
  ["a comment", agent(`${mcp}\n${policy(`rules: [${deny}]`)}`), "# about rules\n"],
  ["the instructions", agent(`${mcp}\n${policy(`rules: [${deny}]`)}`), "description: other\n"],
  ["the number of steps, and there are no rules", agent(mcp), "execution: { max_steps: 3 }\n"],
])("it is not asked again if %s of an agent with tools changes", async (_what, text, more) => {
  const place = clone({ "agent.yaml": text });
  await run("trust", place);
  writeFileSync(join(place.cwd, "agent.yaml"), text + more);
  expect(await run("trust --show", place)).toMatchObject({ code: 0 });
});
