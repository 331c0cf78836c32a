/** Which parts of the records of tables and JSON are read. */
export interface RecordOptions {
  /** The path of the array of records in a JSON document, such as `data.items`. Default: the document itself. */
  readonly path?: string;
  /** The fields that are read. Default: all. */
  readonly fields?: readonly string[];
  /** Further fields, which follow those. */
  readonly metaFields?: readonly string[];
  /** A prefix for the name of each field. */
  readonly prefix?: string;
  /** A prefix for the name of each of `metaFields`. */
  readonly metaPrefix?: string;
}

/** The fields of a record that are read, with their prefixed names. Pure. */
export function fieldsOf(
  record: readonly (readonly [name: string, value: unknown])[],
  { fields, metaFields = [], prefix = "", metaPrefix = "" }: RecordOptions,
): readonly (readonly [name: string, value: unknown])[] {
  const take = (names: readonly string[], before: string) =>
    names.flatMap((wanted) =>
      record.flatMap(([name, value]) => (name === wanted ? [[`${before}${name}`, value] as const] : [])),
    );
  const rest = record.flatMap(([name, value]) =>
    metaFields.includes(name) ? [] : [[`${prefix}${name}`, value] as const],
  );
  return [...(fields ? take(fields, prefix) : rest), ...take(metaFields, metaPrefix)];
}

export function selects({ fields, metaFields, prefix, metaPrefix }: RecordOptions): boolean {
  return [fields, metaFields, prefix, metaPrefix].some((option) => option !== undefined);
}
