/** Opens connections whose drivers are optional packages, in a process without these packages. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const program = join(import.meta.dirname, "without-drivers.ts");

test.each([
  [{ type: "mysql", user: "reader" }, "mysql2"],
  [{ type: "sqlserver", host: "localhost", user: "reader", password: "x", database: "shop" }, "tedious"],
  [{ type: "postgres", user: "reader" }, "pg"],
  [{ type: "postgres", user: "reader" }, "libpg-query"],
])("without its driver, %o fails with the package to install", (config, name) => {
  const args = ["--conditions=@bridle/source", program, JSON.stringify(config), name];
  expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe(
    `ConfigError: A connection of type ${config.type} needs the package "${name}", which is not installed. Run "npm install ${name}".\n`,
  );
});
