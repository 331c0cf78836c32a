/**
 * Each option of the closed set is needed, or is a second lock: others keep the same out (observed on 0.169.0). The table is
 * in docs/codex.md. `npm run soak` takes every option away, `npm test` some of those that are needed.
 */
import { join } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { expect, test } from "vitest";
import { closedOptions } from "./support/options.ts";
import { type Conditions, holesWithout } from "./support/without-option.ts";

const guide = readTextFileSync(join(import.meta.dirname, "../../../../docs/codex.md"));
const needed = new Map(
  [...guide.matchAll(/^\| `([^`]+)` \| without it, ([^|]+) \|$/gm)].map(([, name, hole]) => [name, hole]),
);
const locks = [...(/The others are second locks:([\s\S]*?)\n#/.exec(guide)?.[1] ?? "").matchAll(/`([^`]+)`/g)].map(
  ([, name]) => name,
);

/** Between them, every way in which a model gets tools, and both ways to pay. */
const conditions: readonly Conditions[] = [
  { model: "gpt-5.5", auth: "api_key" },
  { model: "gpt-6-sol", auth: "session" },
];

async function holesOf(option: string): Promise<string[]> {
  const change = closedOptions[option];
  if (change === undefined) throw new Error(`There is no option ${option}.`);
  const holes: string[] = [];
  for (const condition of conditions) holes.push(...(await holesWithout(change, condition)));
  return [...new Set(holes)];
}

test("the guide names each option once, as needed or as a second lock", () => {
  expect([...needed.keys(), ...locks].sort()).toEqual(Object.keys(closedOptions).sort());
});

test.each(conditions)("with all options nothing gets through ($model, $auth)", async (condition) => {
  expect(await holesWithout((closed) => closed, condition)).toEqual([]);
});

const isLong = process.env.SOAK_FACTOR !== undefined;
const sample = [
  "a private HOME",
  "a search path without programs",
  "catalog: tool_mode",
  "web_search",
  "features.view_image",
];

test.each(isLong ? [...needed] : [...needed].filter(([name = ""]) => sample.includes(name)))(
  "without %s, %s",
  async (option = "", hole = "") => {
    expect((await holesOf(option)).join("; ")).toContain(hole.trim());
  },
);

test.runIf(isLong).each(locks)("without %s, the others still keep everything out", async (option = "") => {
  expect(await holesOf(option)).toEqual([]);
});
