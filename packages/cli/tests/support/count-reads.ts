/** Preloaded into a process: appends a line to the file in COUNTED_LOG each time the process opens or reads the file in COUNTED_FILE. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";

const { COUNTED_FILE: counted = "", COUNTED_LOG: log = "" } = process.env;
const append = fs.appendFileSync;

function count<Holder extends object>(holder: Holder, names: readonly (keyof Holder & string)[]): void {
  for (const name of names) {
    const original: unknown = holder[name];
    if (typeof original !== "function") throw new Error(`There is no function ${name}.`);
    const counting = (...parameters: unknown[]): unknown => {
      const [file] = parameters;
      if ((typeof file === "string" || file instanceof URL) && basename(String(file)) === counted)
        append(log, `${name} ${process.argv.slice(2).join(" ")}\n`);
      return Reflect.apply(original, holder, parameters);
    };
    Reflect.set(holder, name, counting);
  }
}

count(fs, ["readFileSync", "openSync", "readFile", "open", "createReadStream"]);
count(fs.promises, ["readFile", "open"]);
syncBuiltinESMExports();
