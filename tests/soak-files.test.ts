import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { soakFiles } from "../scripts/soak-files.ts";

test("npm run soak names only tests that exist, because Vitest runs nothing for others", () => {
  expect(soakFiles.filter((file) => !existsSync(join(import.meta.dirname, "..", file)))).toEqual([]);
  expect(soakFiles).toHaveLength(new Set(soakFiles).size);
});
