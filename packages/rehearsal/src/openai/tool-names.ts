/** Finds a fault in the tool names of a request. `path` is the path of the name within a tool, such as `function.name`. */
export function findToolFault(names: readonly string[], path: string): string | undefined {
  const odd = names.findIndex((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name));
  if (odd >= 0)
    return `Invalid 'tools[${odd}].${path}': string does not match pattern. Expected a string of 1 to 64 characters that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
  const double = names.find((name, index) => names.indexOf(name) !== index);
  return double === undefined ? undefined : `Invalid 'tools': the function name '${double}' is used more than once.`;
}
