/** What of the records of tables and JSON is read. */
export interface RecordOptions {
  /** Where in a JSON document the array of records is, such as `data.items`. Default: the document itself. */
  readonly path?: string;
  /** The fields that are read. Default: all. */
  readonly fields?: readonly string[];
  /** More fields, which follow those. */
  readonly metaFields?: readonly string[];
  /** Stands before the name of each field. */
  readonly prefix?: string;
  /** Stands before the name of each of `metaFields`. */
  readonly metaPrefix?: string;
}

/** The named values of a record that are read, with the names they go by. Pure. */
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
