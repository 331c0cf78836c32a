import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseScript } from "../src/index.ts";
import { scriptKeys } from "../src/script/schema.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const scripts = [...readme.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => text);

test("every script in the README can be played", () => {
  expect(scripts.length).toBeGreaterThan(1);
  for (const script of scripts) expect(() => parseScript(script, "README.md")).not.toThrow();
});

test("the README names every field of a script", () => {
  const paths = [[], ["turns", 0, "when"], ["turns", 0, "steps", 0], ["usage"], ["limit"], ["calls", 0]];
  const missing = paths.flatMap((path) => scriptKeys(path)).filter((key) => !new RegExp(`\\b${key}\\b`).test(readme));
  expect(missing).toEqual([]);
});
