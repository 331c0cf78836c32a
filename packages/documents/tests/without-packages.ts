/** Parses a file as if the packages in the arguments were not installed. Started by a test. */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const [file = "", ...missing] = process.argv.slice(2);

registerHooks({
  resolve(specifier, context, next) {
    if (!missing.includes(specifier)) return next(specifier, context);
    const error = new Error(`Cannot find package '${specifier}' imported from ${context.parentURL}`);
    throw Object.assign(error, { code: "ERR_MODULE_NOT_FOUND" });
  },
});

const { parseDocument } = await import("../src/index.ts");
const bytes = file.endsWith(".md") ? new TextEncoder().encode("# Returns") : readFileSync(file);
const parsing = parseDocument({ name: file, bytes });
console.log(
  await parsing.then(
    ([block]) => block?.text,
    (error: Error) => `${error.name}: ${error.message}`,
  ),
);
