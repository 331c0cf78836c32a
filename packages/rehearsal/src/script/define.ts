import { ConfigError } from "@bridle/protocol";
import { normalise } from "./normalise.ts";
import { checkScript } from "./problems.ts";
import type { ScriptInput } from "./schema.ts";
import type { Script } from "./script.ts";

/**
 * Creates a script from an object with the fields of the YAML file. `name` replaces the file name in messages. Throws one `ConfigError`
 * that lists every problem.
 *
 * @example defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Hello" }] }] })
 */
export function defineScript(value: ScriptInput, name = "script"): Script {
  const checked = checkScript(value);
  if ("fields" in checked) return normalise(checked.fields, name);
  const lines = checked.problems.map(({ path, message }) => `${[name, ...path.map(String)].join(".")}: ${message}`);
  throw new ConfigError(lines.join("\n"));
}
