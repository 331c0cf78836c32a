import { ConfigError, getErrorMessage, type SourcePosition } from "@bridle/protocol";
import type { FileForm } from "./problems.ts";
import { readYaml, type YamlFile } from "./read-yaml.ts";
import type { Environment } from "./variables.ts";

/**
 * Reads an object that a program passes instead of a file, with the same checks and the same replacement of `${NAME}`. The position of a
 * problem is the path of its setting, such as `config.llm.models`. Throws ConfigError for a value that JSON cannot represent.
 */
export function readObject<T>(value: object, name: string, environment: Environment, form: FileForm<T>): YamlFile<T> {
  const read = readYaml(toJson(value, name), name, environment, form);
  const at = (path: readonly PropertyKey[]): SourcePosition => ({
    file: [name, ...path.map(String)].filter((each) => each !== "").join("."),
  });
  const positions = Object.keys(read.positions).map((path) => [path, at(path === "" ? [] : [path])] as const);
  const problems = read.problems.map(({ field, ...problem }) => ({
    ...problem,
    position: at(field === undefined ? [] : [field]),
    ...(field !== undefined && { field }),
  }));
  return { ...read, problems, at, positions: Object.fromEntries(positions) };
}

function toJson(value: object, name: string): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new ConfigError(`${name} cannot be read, because it is not JSON: ${getErrorMessage(cause)}`, { cause });
  }
}
