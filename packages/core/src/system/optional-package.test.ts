import { expect, test } from "vitest";
import { importOptional } from "./optional-package.ts";

const refuse = (problem: string, cause: unknown) => new Error(`The report ${problem}`, { cause });
const missing = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /app/report.js`), {
    code: "ERR_MODULE_NOT_FOUND",
  });

test("returns the imported module", async () => {
  expect(await importOptional(["a"], async () => "module", refuse)).toBe("module");
});

test("names the package that is missing, and the command that installs it", async () => {
  const cause = missing("a");
  const error = await importOptional(["a"], () => Promise.reject(cause), refuse).catch((thrown: unknown) => thrown);
  expect(error).toEqual(
    new Error('The report needs the package "a", which is not installed. Run "npm install a".', { cause }),
  );
});

test("names all packages if one of several is missing, also if a part of a package was imported", async () => {
  const loading = importOptional(["@x/a", "b"], () => Promise.reject(missing("@x/a/part")), refuse);
  await expect(loading).rejects.toThrow(
    'The report needs the packages "@x/a", "b", which are not all installed. Run "npm install @x/a b".',
  );
});

test("rethrows every other error", async () => {
  await expect(importOptional(["a"], () => Promise.reject(missing("b")), refuse)).rejects.toThrow("package 'b'");
  await expect(importOptional(["a"], () => Promise.reject(new Error("'a' failed")), refuse)).rejects.toThrow(
    /^'a' failed$/,
  );
});
