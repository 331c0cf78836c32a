/**
 * Generates the OpenAPI document of an API from its routes. Paths, parameters, bodies and replies come from the schemas that
 * validate the requests.
 */
import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { idPattern, namesInPath } from "../http/request/path-names.ts";
import type { Route } from "../http/route.ts";
import { problemSchema } from "./problem-schema.ts";

export interface DescribedApi {
  /** The base path, including the path prefix of the server. */
  readonly base: string;
  readonly routes: readonly Route[];
  readonly version: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Generates the document: https://spec.openapis.org/oas/v3.1.1.html */
export function describeApi({ base, routes, version }: DescribedApi): JsonObject {
  const paths = [...new Set(routes.map(({ path }) => path))];
  return {
    openapi: "3.1.1",
    info: { title: "Bridle", version, description: "Agents over HTTP. Every request needs a token." },
    servers: [{ url: base }],
    security: [{ token: [] }],
    paths: Object.fromEntries(paths.map((path) => [path, describePath(routes.filter((route) => route.path === path))])),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Problem: toSchema(problemSchema, "output") },
      responses: {
        Problem: {
          description: "A refusal, as RFC 9457 has it.",
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      },
    },
  };
}

function describePath(routes: readonly Route[]): JsonObject {
  return Object.fromEntries(routes.map((route) => [route.method.toLowerCase(), describeRoute(route)]));
}

function describeRoute(route: Route): JsonObject {
  const { method, path, summary, role, query, body, replies } = route;
  const parameters = [...namesInPath(path).map(describeName), ...describeQuery(query)];
  return {
    operationId: operationId(method, path),
    summary,
    "x-role": role,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: jsonContent(toSchema(body, "input")) } }),
    responses: {
      ...Object.fromEntries(Object.entries(replies).map(([status, reply]) => [status, describeReply(status, reply)])),
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

function describeName(name: string): JsonObject {
  return { name, in: "path", required: true, schema: { type: "string", pattern: idPattern.source } };
}

function describeQuery(query: z.ZodType | undefined): JsonObject[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = toSchema(query, "input");
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties as JsonObject).map(([name, schema]) => ({
    name,
    in: "query",
    required: names.includes(name),
    schema,
  }));
}

function describeReply(status: string, reply: z.ZodType | null): JsonObject {
  if (Number(status) >= 400) return { $ref: "#/components/responses/Problem" };
  const description = STATUS_CODES[status] ?? status;
  return reply === null ? { description } : { description, content: jsonContent(toSchema(reply, "output")) };
}

function jsonContent(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

/** Converts a schema. Types that JSON Schema cannot represent, such as dates, become any value. */
function toSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _draft, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
  });
  return described;
}

/** Names an operation: `GET /sessions/{session}/runs` becomes `getSessionsRuns`. */
function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const all = words.filter((word) => !namesInPath(path).includes(word) || !path.includes(`{${word}}`));
  const ending = namesInPath(path).length > 0 && path.endsWith("}") ? ["one"] : [];
  return [method.toLowerCase(), ...all, ...ending].map((word, at) => (at === 0 ? word : capitalize(word))).join("");
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
