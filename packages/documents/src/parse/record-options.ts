/** Selects the fields to read in the records of tables and JSON. */
export interface RecordOptions {
  /** The path of the array of records in a JSON document, such as `data.items`. Default: the document itself. */
  readonly path?: string;
  /** The field that identifies a record, which is read first, whatever the other options. */
  readonly idField?: string;
  /** The text between two fields. Default: a line break. */
  readonly separator?: string;
  /** The fields to read. Default: all. */
  readonly fields?: readonly string[];
  /** More fields, which are read after `fields`. */
  readonly metaFields?: readonly string[];
  /** A prefix for the name of each field. */
  readonly prefix?: string;
  /** A prefix for the name of each of `metaFields`. */
  readonly metaPrefix?: string;
}

/** Returns the selected fields of a record, with their prefixed names. Pure. */
export function fieldsOf(
  record: readonly (readonly [name: string, value: unknown])[],
  { idField, fields, metaFields = [], prefix = "", metaPrefix = "" }: RecordOptions,
): readonly (readonly [name: string, value: unknown])[] {
  const take = (names: readonly string[], before: string) =>
    names.flatMap((wanted) =>
      record.flatMap(([name, value]) => (name === wanted ? [[`${before}${name}`, value] as const] : [])),
    );
  const ids = idField === undefined ? [] : [idField];
  const others = (names: readonly string[]) => names.filter((name) => name !== idField);
  const rest = record.flatMap(([name, value]) =>
    [...ids, ...metaFields].includes(name) ? [] : [[`${prefix}${name}`, value] as const],
  );
  const read = fields ? take(others(fields), prefix) : rest;
  return [...take(ids, metaPrefix), ...read, ...take(others(metaFields), metaPrefix)];
}

export function selects({ path: _path, ...options }: RecordOptions): boolean {
  return Object.values(options).some((option) => option !== undefined);
}
