import { z } from "zod";
import type { Route } from "../../packages/server/src/http/route.ts";

/** Returns the reference of the server's own API, from its routes. */
export function serverApiReference(routes: readonly Route[]): string {
  const resources = [...new Set(routes.map(resourceOf))];
  const sections = resources.map((resource) => {
    const rows = routes.filter((route) => resourceOf(route) === resource).map(row);
    return `## ${resource}\n\n| request | role | |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
  });
  return `${introduction}\n${sections.join("\n")}\n${ending}`;
}

const introduction = `<!-- Made by scripts/generate.ts from the routes of the server. Change these, then run "npm run generate". -->

# The server API

\`bridle serve\` answers these requests below \`/api/v1\`. [Serving agents](../guides/servers/serving.md) explains how to start the server, and
what a token may do. \`GET /api/v1/openapi.json\` describes every parameter, body and reply as OpenAPI 3.1, for client generators.

Bodies are JSON, with \`Content-Type: application/json\` on every request that may change something. The error for an unknown field or
parameter suggests the nearest name. Errors have the form of RFC 9457: \`code\` is stable, and \`detail\` contains the reason and the remedy.
`;

const ending = `## Read next

- [Serving agents](../guides/servers/serving.md): start a server, and use it
- [Security of the server](../guides/servers/server-security.md): what it refuses, and why
`;

function resourceOf({ path }: Route): string {
  return path.split("/")[1] ?? "";
}

function row({ method, path, role, summary, query }: Route): string {
  const parameters =
    query === undefined
      ? []
      : Object.keys(z.toJSONSchema(query, { io: "input", unrepresentable: "any" }).properties ?? {});
  const text =
    parameters.length === 0 ? summary : `${summary} Query: ${parameters.map((name) => `\`${name}\``).join(", ")}.`;
  return `| \`${method} ${path}\` | ${role} | ${text.replaceAll("|", "\\|")} |`;
}
