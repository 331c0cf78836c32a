/** Reads the protocol that the installed Codex prints as a JSON Schema, and finds what does not match it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { isPlainObject } from "@bridle/protocol";
import { z } from "zod";
import { requirePinnedCodex } from "../../src/boundary/codex-binary.ts";

const list = z.array(z.unknown()).catch([]);
const record = z.record(z.string(), z.unknown()).catch({});
const names = z.array(z.string()).catch([]);

function readProtocol(): unknown {
  const folder = mkdtempSync(join(tmpdir(), "bridle-protocol-"));
  try {
    const args = ["app-server", "generate-json-schema", "--experimental", "--out", folder];
    execFileSync(requirePinnedCodex().binary, args, { env: { HOME: folder, CODEX_HOME: folder }, stdio: "ignore" });
    return JSON.parse(readTextFileSync(join(folder, "codex_app_server_protocol.schemas.json")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const document = readProtocol();

function at(node: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isPlainObject(found) ? found[key] : undefined), node);
}

/** Returns a definition of the protocol. Throws if the protocol does not have it. */
export function definition(name: string): unknown {
  const found = at(document, "definitions", "v2", name) ?? at(document, "definitions", name);
  if (found === undefined) throw new Error(`${name} does not exist at the pin.`);
  return found;
}

/** Returns, for a kind of message, the parameters of each method. */
export function methodsOf(kind: string): Map<string, unknown> {
  const messages = list.parse(at(definition(kind), "oneOf"));
  return new Map(
    messages.map((each) => [
      names.parse(at(each, "properties", "method", "enum"))[0] ?? "",
      at(each, "properties", "params"),
    ]),
  );
}

/** Returns the alternatives of a schema, and follows its references. */
function alternatives(schema: unknown): unknown[] {
  const reference = at(schema, "$ref");
  if (typeof reference === "string") return alternatives(at(document, ...reference.split("/").slice(1)));
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((key) => list.parse(at(schema, key)));
  if (inner.length === 0) return [schema];
  return inner.flatMap(alternatives).map((form) => withOwnFields(schema, form));
}

/** Adds to a form the fields of its union, because a union can have fields that each of its forms has. */
function withOwnFields(union: unknown, form: unknown): unknown {
  const own = record.parse(at(union, "properties"));
  if (Object.keys(own).length === 0 || !isPlainObject(form)) return form;
  return {
    ...form,
    properties: { ...own, ...record.parse(at(form, "properties")) },
    required: [...names.parse(at(union, "required")), ...names.parse(at(form, "required"))],
  };
}

/** Returns the values of an enumeration, and the names of the forms of a union: by their `type`, or by their only key. */
export function valuesOf(name: string): string[] {
  const found = alternatives(definition(name)).flatMap((form) => {
    const values = names.parse(at(form, "enum"));
    const types = names.parse(at(form, "properties", "type", "enum"));
    return [...values, ...(types.length > 0 ? types : names.parse(at(form, "required")))];
  });
  return [...new Set(found)].sort();
}

/** Returns the form of a union with this `type`. Throws if the union does not have it. */
export function formOf(name: string, type: string): unknown {
  const found = alternatives(definition(name)).find((form) =>
    names.parse(at(form, "properties", "type", "enum")).includes(type),
  );
  if (found === undefined) throw new Error(`${name} has no form ${type} at the pin.`);
  return found;
}

/** Returns the types that a schema allows. Undefined if every value is possible. */
function typesOf(schema: unknown): string[] | undefined {
  const type = at(schema, "type");
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? names.parse(type) : undefined;
}

/**
 * Lists the parts of our schema that cannot read a host message: fields that the host does not send, may leave out, or sends with another
 * type.
 */
export function unreadable(ours: z.ZodType, theirs: unknown, path: string): string[] {
  return [...new Set(compare(z.toJSONSchema(ours, { io: "input", unrepresentable: "any" }), theirs, path))];
}

function compare(ours: unknown, theirs: unknown, path: string): string[] {
  const readers = alternatives(ours);
  const forms = alternatives(theirs);
  if (readers.some((reader) => typesOf(reader) === undefined)) return []; // this schema reads anything
  const accepted = new Set(readers.flatMap((reader) => typesOf(reader) ?? []));
  const accepts = (type: string) => accepted.has(type) || (type === "integer" && accepted.has("number"));
  const others = forms.flatMap((form) => typesOf(form) ?? []).filter((type) => !accepts(type));
  return [
    ...others.map((type) => `${path} may be ${type}`),
    ...readers.flatMap((reader) => compareFields(reader, forms, path)),
    ...readers.flatMap((reader) => {
      const items = forms.flatMap((form) => at(form, "items") ?? []);
      return at(reader, "items") === undefined || items.length === 0
        ? []
        : compare(at(reader, "items"), { anyOf: items }, `${path}[]`);
    }),
  ];
}

function compareFields(reader: unknown, forms: readonly unknown[], path: string): string[] {
  const required = names.parse(at(reader, "required"));
  const objects = forms.filter((form) => at(form, "properties") !== undefined);
  return Object.entries(record.parse(at(reader, "properties"))).flatMap(([name, each]) => {
    const found = objects.filter((form) => at(form, "properties", name) !== undefined);
    if (found.length === 0) return [`${path}.${name} does not exist`];
    const isSure = objects.every((form) => names.parse(at(form, "required")).includes(name));
    const field = { anyOf: found.map((form) => at(form, "properties", name)) };
    return [
      ...(required.includes(name) && !isSure ? [`${path}.${name} may be missing`] : []),
      ...compare(each, field, `${path}.${name}`),
    ];
  });
}

/** Lists the parts of a value that a schema does not allow: an unknown key, another type, or another value of an enumeration. */
export function misfits(value: unknown, schema: unknown, path: string): string[] {
  const forms = alternatives(schema).map((form) => formMisfits(value, form, path));
  return forms.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function formMisfits(value: unknown, form: unknown, path: string): string[] {
  const types = typesOf(form);
  const type = typeOf(value);
  if (types !== undefined && !types.includes(type) && !(type === "integer" && types.includes("number")))
    return [`${path} is ${type}, not ${types.join(" or ")}`];
  const values = at(form, "enum");
  if (Array.isArray(values) && !values.includes(value)) return [`${path} is ${JSON.stringify(value)}`];
  if (Array.isArray(value) && isPlainObject(at(form, "items")))
    return value.flatMap((each, index) => misfits(each, at(form, "items"), `${path}[${index}]`));
  const properties = at(form, "properties");
  if (!isPlainObject(value) || !isPlainObject(properties)) return [];
  const missing = names.parse(at(form, "required")).filter((name) => value[name] === undefined);
  return [
    ...missing.map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, each]) => {
      if (each === undefined) return []; // the field is not sent
      if (properties[name] === undefined) return [`${path}.${name} does not exist`];
      return misfits(each, properties[name], `${path}.${name}`);
    }),
  ];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
