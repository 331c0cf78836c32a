import type { AgentDefinition } from "@bridle/agent";
import { InvalidRequestError, suggestion } from "@bridle/protocol";
import type { CaseConfig } from "../checks/case-config.ts";

/** A case in an agent file with its name. Every case has a name here. */
export interface NamedCase {
  readonly name: string;
  readonly config: CaseConfig;
}

/** Names the cases, in the order of the file. Cases without a name are `case 1`, `case 2` … by their position. */
export function namedCases({ config }: Pick<AgentDefinition, "config">): NamedCase[] {
  const cases = config.test_cases ?? [];
  const taken = new Set(cases.map(({ name }) => name));
  return cases.map((each, index) => ({ name: each.name ?? freeName(`case ${index + 1}`, taken), config: each }));
}

/**
 * Returns the chosen cases, in the order of the file. Throws InvalidRequestError if the file has no cases, or no case with a chosen name.
 */
export function chooseCases(
  definition: Pick<AgentDefinition, "config" | "file">,
  wanted?: readonly string[],
): NamedCase[] {
  const { file } = definition;
  const cases = namedCases(definition);
  if (cases.length === 0) {
    throw new InvalidRequestError(`${file} has no test cases, so nothing can be tested. Write some in test_cases.`);
  }
  if (wanted === undefined) return cases;
  if (wanted.length === 0)
    throw new InvalidRequestError("No test case is chosen. Name one, or choose none to run all.");
  const names = cases.map(({ name }) => name);
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownCase(unknown, names, file);
  return cases.filter(({ name }) => wanted.includes(name));
}

const maxNamed = 10;

function unknownCase(name: string, names: readonly string[], file: string): InvalidRequestError {
  const shown = names.slice(0, maxNamed).map((each) => `"${each}"`);
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  const near = suggestion(name, names) || ` There are ${shown.join(", ")}${more}.`;
  return new InvalidRequestError(`${file} has no test case "${name}".${near}`);
}

/** Makes a name unique, because another case may have it. */
function freeName(name: string, taken: ReadonlySet<string | undefined>): string {
  return taken.has(name) ? freeName(`${name}'`, taken) : name;
}
