import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventDefinitions } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { root } from "../scripts/packages.ts";

const text = readFileSync(join(root, "docs/reference/events.md"), "utf8");
const rows = [...text.matchAll(/^\| `([a-z]+(?:\.[a-z]+)?)` \| (.*?) \|/gm)];

test("the reference of events has every event with every field, in their order", () => {
  const written = Object.fromEntries(rows.map(([, type = "", fields = ""]) => [type, fields.replaceAll("`", "")]));
  const defined = Object.entries(eventDefinitions).map(([type, { shape }]) => [type, fieldsOf(shape).join(", ")]);
  expect(written).toEqual(Object.fromEntries(defined));
});

function fieldsOf(shape: Readonly<Record<string, z.ZodType>>): string[] {
  return Object.entries(shape).map(([name, schema]) => (schema instanceof z.ZodOptional ? `${name}?` : name));
}
