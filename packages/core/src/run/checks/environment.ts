import { InvalidRequestError } from "@bridle/protocol";

export type ToolEnvironment = Readonly<Record<string, string>>;

/**
 * Joins the variables of a run; later ones override earlier ones. Returns undefined without variables. Throws InvalidRequestError for an
 * invalid variable.
 */
export function joinEnvironments(
  ...environments: readonly (ToolEnvironment | undefined)[]
): ToolEnvironment | undefined {
  const joined = Object.assign({}, ...environments);
  const entries = Object.entries(joined).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) {
    if (!/^[^=\0]+$/.test(name))
      throw wrong(`the name ${JSON.stringify(name)} is empty or contains "=" or a null byte`);
    if (typeof value !== "string") throw wrong(`${name} is not a string`);
    if (value.includes("\0")) throw wrong(`${name} contains a null byte`);
  }
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as ToolEnvironment);
}

function wrong(problem: string): InvalidRequestError {
  return new InvalidRequestError(`environment is not valid: ${problem}. Pass names with strings.`);
}
