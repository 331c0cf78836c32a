/** Creates a file with a value in one field, and with the other keys that select the field's mapping. */

/** The key that distinguishes the kinds of a mapping. */
const discriminators: Readonly<Record<string, string>> = {
  model: "provider",
  embedding_provider: "provider",
  tools: "type",
  metrics: "type",
  evaluations: "type",
};

/** Creates the file. `path` is a path that `fieldsOf` returns, such as `tools[](mcp).env`. */
export function withField(path: string, value: unknown): Record<string, unknown> {
  const [first = "", ...rest] = path.split(".");
  return { name: "desk", instructions: { inline: "Be kind." }, ...mapping([first, ...rest], value) };
}

function mapping([segment = "", ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  const [, key = "", list, kind] = /^([\w*-]+)(\[\])?(?:\(([\w-]+)\))?$/.exec(segment) ?? [];
  if (rest.length === 0) return { [key === "*" ? "any" : key]: value };
  const inner = { ...(kind && { [discriminators[key] ?? ""]: kind }), ...mapping(rest, value) };
  return { [key === "*" ? "any" : key]: list ? [inner] : inner };
}

/** Returns the path as messages show it. */
export function shownPath(path: string): string {
  return path
    .replaceAll(/\([\w-]+\)/g, "")
    .replaceAll("[]", ".0")
    .replaceAll("*", "any");
}
