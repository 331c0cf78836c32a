import { expect, test } from "vitest";
import { z } from "zod";
import { describeApi } from "../../src/openapi/describe-api.ts";
import { nativeApi } from "../../src/serve/open-apis.ts";

const { base, routes } = nativeApi({ version: "1.2.3", basePath: "" });
const document = describeApi({ base, routes, version: "1.2.3" });
const operationSchema = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.enum(["path", "query"]) })).default([]),
  responses: z.record(z.string(), z.unknown()),
});
const paths = z.record(z.string(), z.record(z.string(), operationSchema)).parse(document.paths);

test("the description of the API has every route once, with a name of its own", () => {
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  const ids = Object.values(paths).flatMap((operations) => Object.values(operations).map((each) => each.operationId));
  expect(new Set(ids).size).toBe(ids.length);
});

test("the description of the API declares every name in a path, and refers to nothing that it does not have", () => {
  for (const [path, operations] of Object.entries(paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters } of Object.values(operations)) {
      expect(parameters.filter((each) => each.in === "path").map(({ name }) => name)).toEqual(names);
    }
  }
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#\/components\/[^"]+)"/g)].map(
    ([, to = ""]) => to,
  );
  expect(references.length).toBeGreaterThan(0);
  for (const reference of new Set(references)) expect(resolve(reference)).toBeDefined();
});

function resolve(reference: string): unknown {
  return reference
    .slice(2)
    .split("/")
    .reduce<unknown>((at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined), document);
}
