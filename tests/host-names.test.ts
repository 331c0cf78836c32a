import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { backendNames } from "@bridle/project";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";

/** The names of the hosts, and of the accounts and providers that only a host may know. */
const names = [...backendNames.filter((each) => each !== "none"), "bedrock", "azure_openai", "ollama"];
const name = `"(?:${names.join("|")})"`;

/** Names that can be keys without quotes. Leaves out `ollama`, because `bridle init` also looks for a server of that name. */
const plain = names.filter((each) => /^\w+$/.test(each) && each !== "ollama");
const key = `(?:${name}|${plain.join("|")})`;

/** Ways in which source code decides something by a host's name: comparisons, lists, and maps with a value for each host. */
const decision = new RegExp(
  [
    `[!=]==? ${name}`,
    `${name} [!=]==?`,
    `case ${name}`,
    `literal\\(${name}`,
    `(?<!\\b[A-Z]\\w*)\\[${name}`,
    `(?:^|[{,])\\s*${name}: `,
    `(?:^|[{,])\\s*${key}: ["'\`{]`,
  ].join("|"),
  "m",
);

/** A folder that is not checked, because its importers read files of other products, which contain the same names. */
const imports = "packages/app/src/imports/";

/** Sources that still decide by the name of a host. Remove an entry together with its last comparison, and do not add new entries. */
const exceptions: string[] = [];

test.each([
  'if (backend === "claude-code") return;',
  'const provider = { "claude-code": "anthropic" };',
  'const providers = {\n  anthropic: "anthropic",\n};',
  'const logins = new Set(["claude-code"]);',
  'return titles["vertex"];',
])("this is a decision by the name of a host: %s", (source) => {
  expect(source).toMatch(decision);
});

test.each(['type Found = Findings["ollama"];', "model(ollama: Ollama): Promise<string>;"])(
  "this is not a decision by the name of a host: %s",
  (source) => {
    expect(source).not.toMatch(decision);
  },
);

test("only the packages of the hosts decide anything by the name of a host", () => {
  const sources = globSync("packages/**/src/**/*.ts", { cwd: root }).filter(
    (path) =>
      !path.startsWith(imports) &&
      !/node_modules|\/dist\/|\.test\.ts$|-for-tests\.ts$|^packages\/(hosts|rehearsal|conformance)\//.test(path),
  );
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.filter((path) => decision.test(readFileSync(join(root, path), "utf8")));
  expect(found.toSorted()).toEqual(exceptions);
});
