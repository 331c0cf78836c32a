import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";

const assets = join(root, "packages/workbench/dist/assets");

test("the page is built for people, without what React has for its developers", () => {
  const scripts = globSync("*.js", { cwd: assets });
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((file) => readFileSync(join(assets, file), "utf8").includes("React DevTools"))).toEqual([]);
});
