/**
 * Checks that each option of the closed set is needed, or is a second lock because another option closes the same hole (observed on
 * 1.0.14).
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ChangedOption, holesWithout } from "./support/without-option.ts";

const needed: readonly (readonly [option: string, hole: string, change: ChangedOption])[] = [
  [
    "a private COPILOT_HOME",
    "a trap ran",
    { client: (options, { home }) => ({ ...options, baseDirectory: join(home, ".copilot") }) },
  ],
  [
    "an empty folder as PATH",
    "a trap ran",
    { client: (options, { environment }) => ({ ...options, env: { ...options.env, PATH: environment.PATH } }) },
  ],
  [
    "the tools by source",
    "other tools are offered",
    { session: (options) => ({ ...options, availableTools: ["builtin:*", "custom:*"] }) },
  ],
  [
    "the replaced instructions",
    "the instructions are others",
    { session: ({ systemMessage: _, ...options }) => options },
  ],
  ["the hook for the prompt", "the prompt is another", { session: ({ hooks: _, ...options }) => options }],
  ["whole results", "a result was replaced", { session: ({ largeOutput: _, ...options }) => options }],
  [
    "the empty mode or a private working directory",
    "a trap ran",
    {
      client: ({ mode: _, ...options }) => options,
      session: (options, { projectDir }) => ({ ...options, workingDirectory: projectDir }),
    },
  ],
];

test("with all options nothing gets through", async () => {
  expect(await holesWithout({})).toEqual([]);
});

for (const [option, hole, change] of needed) {
  test(`without ${option}, ${hole}`, async () => {
    expect(await holesWithout(change)).toContain(hole);
  });
}
