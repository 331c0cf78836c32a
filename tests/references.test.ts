import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "vitest";
import { root } from "../scripts/packages.ts";

test("the generated references are those of the commands and the configuration as they are", () => {
  execFileSync(process.execPath, [join(root, "scripts/generate.ts"), "--check"], { stdio: "pipe" });
});
