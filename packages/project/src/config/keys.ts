/** Finds the keys that a schema allows at a path. A key such as `backend` may choose between several mappings. */
import { z } from "zod";

type Path = readonly PropertyKey[];
type Shape = Readonly<Record<string, z.ZodType>>;

/** A mapping that is allowed at a path: its keys, and the key that distinguishes it from other allowed mappings, if there are any. */
interface Alternative {
  readonly shape: Shape;
  readonly discriminator?: string;
}

/**
 * Lists the keys that the mapping at a path such as `["llm", "provider"]` may have; empty if it may have any key. `mapping` is the mapping
 * at that path, because the keys may depend on one of its values, such as `backend`. `root` is the whole file.
 */
export function knownKeys(schema: z.ZodType, path: Path, mapping?: unknown, root?: unknown): readonly string[] {
  const alternatives = alternativesAt(schema, path, root);
  const chosen = alternatives.find((each) => hasKind(each, mapping)) ?? alternatives[0];
  return Object.entries(chosen?.shape ?? {}).flatMap(([key, value]) => (isSupported(value) ? [key] : []));
}

/** Whether a field is supported. Other fields exist only to name a replacement, which their description shows. */
function isSupported({ description = "" }: z.ZodType): boolean {
  return !description.startsWith("Not supported: ");
}

/** Lists the values of the distinguishing key at a path that exist only to name a replacement. */
export function unsupportedKinds(schema: z.ZodType, path: Path, discriminator = ""): readonly string[] {
  const kinds = alternativesAt(schema, path, undefined).flatMap(({ shape }) => shape[discriminator] ?? []);
  return kinds.filter((kind) => !isSupported(kind)).flatMap(listLiterals);
}

/** Lists the keys of a mapping of an unknown kind that no kind of mapping allows at this path. */
export function keysOfNone(schema: z.ZodType, path: Path, mapping: object, root: unknown): readonly string[] {
  const alternatives = alternativesAt(schema, path, root);
  return Object.keys(mapping).filter((key) => !alternatives.some(({ shape }) => key in shape));
}

/** A key that another kind of mapping has at this path. */
export interface KeyOfOthers {
  /** The key that distinguishes the kinds, such as `backend`. */
  readonly discriminator: string;
  /** The kind of the mapping in the file. */
  readonly chosen: string;
  /** The kinds that have the key. */
  readonly owners: readonly string[];
}

/** Finds the other kinds of mapping that have the key; undefined if none has it. */
export function keyOfOthers(
  schema: z.ZodType,
  path: Path,
  key: string,
  mapping: unknown,
  root?: unknown,
): KeyOfOthers | undefined {
  const alternatives = alternativesAt(schema, path, root);
  const having = alternatives.filter(({ shape }) => key in shape);
  const owners = having.flatMap(({ shape, discriminator }) =>
    discriminator ? listLiterals(shape[discriminator]) : [],
  );
  const chosen = alternatives.find((each) => hasKind(each, mapping)) ?? alternatives[0];
  if (owners.length === 0 || chosen?.discriminator === undefined) return undefined;
  const { discriminator, shape } = chosen;
  const name = valueAt(mapping, discriminator) ?? listLiterals(shape[discriminator])[0];
  return { discriminator, chosen: String(name), owners };
}

/** Returns the value at a key; undefined if `mapping` is not an object. */
export function valueAt(mapping: unknown, key: PropertyKey): unknown {
  return typeof mapping === "object" && mapping !== null ? Reflect.get(mapping, key) : undefined;
}

function alternativesAt(schema: z.ZodType, path: Path, root: unknown): readonly Alternative[] {
  const start = { schema: schema as unknown, value: root };
  const { schema: holder } = path.reduce(
    ({ schema, value }, key) => ({ schema: findChild(schema, value, key), value: valueAt(value, key) }),
    start,
  );
  return listMappings(holder);
}

/** Finds the schema of the value at a key of a mapping, or at an index of a list. */
function findChild(schema: unknown, value: unknown, key: PropertyKey): unknown {
  const options = flatten(schema);
  const list = options.find((option) => option instanceof z.ZodArray);
  if (list && typeof key === "number") return list.element;
  const mappings = listMappings(schema).filter(({ shape }) => key in shape);
  const fitting = mappings.find((each) => hasKind(each, value)) ?? mappings[0];
  if (fitting) return fitting.shape[String(key)];
  return options.find((option) => option instanceof z.ZodRecord)?.valueType;
}

function listMappings(schema: unknown, discriminator?: string): Alternative[] {
  const bare = unwrap(schema);
  if (bare instanceof z.ZodDiscriminatedUnion) {
    const { discriminator: key } = bare.def;
    return bare.options.flatMap((option) => listMappings(option, key));
  }
  if (bare instanceof z.ZodUnion) return bare.options.flatMap((option) => listMappings(option, discriminator));
  return bare instanceof z.ZodObject
    ? [{ shape: bare.shape, ...(discriminator !== undefined && { discriminator }) }]
    : [];
}

function flatten(schema: unknown): unknown[] {
  const bare = unwrap(schema);
  return bare instanceof z.ZodUnion ? bare.options.flatMap(flatten) : [bare];
}

function hasKind({ shape, discriminator }: Alternative, mapping: unknown): boolean {
  return (
    discriminator !== undefined && shape[discriminator]?.safeParse(valueAt(mapping, discriminator)).success === true
  );
}

function unwrap(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodExactOptional;
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  return isWrapped ? unwrap(schema.unwrap()) : schema;
}

function listLiterals(schema: unknown): string[] {
  const literal = unwrap(schema);
  if (literal instanceof z.ZodEnum) return literal.options.map(String);
  return literal instanceof z.ZodLiteral ? [...literal.values].map(String) : [];
}
