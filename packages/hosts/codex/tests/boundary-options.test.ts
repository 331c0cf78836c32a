/**
 * Checks that each option of the closed set is needed, or is a second lock because other options close the same hole (observed on 0.169.0).
 * The table of options is in docs/guides/hosts/codex.md. `npm run soak` removes each option, `npm test` only some of the needed ones.
 */
import { join } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { describe, expect, test } from "vitest";
import { closedOptions, patchOptions } from "./support/options.ts";
import { type Conditions, holesWithout } from "./support/without-option.ts";

const guide = readTextFileSync(join(import.meta.dirname, "../../../../docs/guides/hosts/codex.md"));

const [, part = ""] = guide.split("\n### Each option\n");
const [section = ""] = part.split("\n#");
const rows = [...section.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)];
const [, others = ""] = section.split("\nIf one of the following options is missing");

/** Lists the options in a column of the guide's table: the needed ones, each with the hole that it closes, and the second locks. */
function documented(column: 2 | 3) {
  const cells = rows.map((row) => ({ name: row[1] ?? "", hole: row[column] ?? "" }));
  return {
    needed: cells.filter(({ hole }) => !["nothing", "not set"].includes(hole)),
    locks: [
      ...cells.filter(({ hole }) => hole === "nothing").map(({ name }) => name),
      ...[...others.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    ],
  };
}

const isLong = process.env.SOAK_FACTOR !== undefined;

describe.each([
  {
    open: "nothing",
    builtins: [],
    options: closedOptions,
    ...documented(2),
    sample: [
      "a private HOME",
      "a search path without programs",
      "catalog: tool_mode",
      "web_search",
      "features.view_image",
    ],
  },
  {
    open: "apply_patch",
    builtins: ["apply_patch"],
    options: patchOptions,
    ...documented(3),
    sample: [
      "a search path without programs",
      "the prompt as a part of the history",
      "thread: approvalPolicy",
      "thread: sandbox",
      "project_doc_max_bytes",
    ],
  },
])("with $open open", ({ builtins, options, needed, locks, sample }) => {
  /** The conditions of the runs. Together, they cover every way in which a model gets tools, and both ways to pay. */
  const conditions: readonly Conditions[] = [
    { model: "gpt-5.5", auth: "api_key", builtins },
    { model: "gpt-6-sol", auth: "session", builtins },
  ];

  async function holesOf(option: string): Promise<string[]> {
    const change = options[option];
    if (change === undefined) throw new Error(`There is no option ${option}.`);
    const holes: string[] = [];
    for (const condition of conditions) holes.push(...(await holesWithout(change, condition)));
    return [...new Set(holes)];
  }

  test("the guide names each option once, as needed or as a second lock", () => {
    expect([...needed.map(({ name }) => name), ...locks].sort()).toEqual(Object.keys(options).sort());
  });

  test.each(conditions)("with all options nothing gets through ($model, $auth)", async (condition) => {
    expect(await holesWithout((closed) => closed, condition)).toEqual([]);
  });

  test.each(needed.filter(({ name }) => isLong || sample.includes(name)))(
    "without $name, $hole",
    async ({ name, hole }) => {
      expect((await holesOf(name)).join("; ")).toContain(hole);
    },
  );

  test.runIf(isLong).each(locks)("without %s, the others still keep everything out", async (option) => {
    expect(await holesOf(option)).toEqual([]);
  });
});
