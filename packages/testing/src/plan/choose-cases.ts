import type { AgentDefinition } from "@bridle/agent";
import { InvalidRequestError, suggestion } from "@bridle/protocol";
import type { CaseConfig } from "../checks/case-config.ts";

/** A case of an agent's file by its name, which every case has. */
export interface NamedCase {
  readonly name: string;
  readonly config: CaseConfig;
}

/** The cases in the order of the file; those without a name are `case 1`, `case 2` … by their place. */
export function namedCases({ config }: Pick<AgentDefinition, "config">): NamedCase[] {
  const cases = config.test_cases ?? [];
  const taken = new Set(cases.map(({ name }) => name));
  return cases.map((each, index) => ({ name: each.name ?? freeName(`case ${index + 1}`, taken), config: each }));
}

/**
 * The cases that are asked for, in the order of the file. Throws InvalidRequestError where there is none, and for a name
 * that no case has.
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
  if (wanted.length === 0) throw new InvalidRequestError("No test case is chosen. Name one, or leave the choice out.");
  const names = cases.map(({ name }) => name);
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownCase(unknown, names, file);
  return cases.filter(({ name }) => wanted.includes(name));
}

const mostNamed = 10;

function unknownCase(name: string, names: readonly string[], file: string): InvalidRequestError {
  const shown = names.slice(0, mostNamed).map((each) => `"${each}"`);
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  const near = suggestion(name, names) || ` There are ${shown.join(", ")}${more}.`;
  return new InvalidRequestError(`${file} has no test case "${name}".${near}`);
}

/** Somebody may have named another case so. */
function freeName(name: string, taken: ReadonlySet<string | undefined>): string {
  return taken.has(name) ? freeName(`${name}'`, taken) : name;
}
