/** A file in which one field has a value, and around it what tells which mapping it is of. */

/** The key that tells the kinds of a mapping apart. */
const discriminators: Readonly<Record<string, string>> = {
  model: "provider",
  embedding_provider: "provider",
  tools: "type",
  metrics: "type",
  evaluations: "type",
};

/** `path` as of `fieldsOf`, such as `tools[](mcp).env`. */
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

/** The path as messages have it. */
export function shownPath(path: string): string {
  return path
    .replaceAll(/\([\w-]+\)/g, "")
    .replaceAll("[]", ".0")
    .replaceAll("*", "any");
}
