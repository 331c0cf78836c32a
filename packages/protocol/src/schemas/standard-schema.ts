/**
 * The part of Standard Schema and Standard JSON Schema (https://standardschema.dev) that Bridle uses. TypeScript
 * compares only these few members, so type checks are fast for a schema of any Zod 4, or of another library.
 */

/** A schema that validates values and infers their type, such as a Zod object. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    /** The library's name, such as `zod`. */
    readonly vendor: string;
    validate(value: unknown): StandardResult | Promise<StandardResult>;
    /** The types of the input and the output. Exists only as a type. */
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** A schema that can also describe its input as a JSON Schema, which a model needs, as in Zod 4.2 or newer and ArkType 2.1.28 or newer. */
export interface StandardJsonSchema<Output = unknown> extends StandardSchema<Output> {
  readonly "~standard": StandardSchema<Output>["~standard"] & {
    readonly jsonSchema: { input(options: { target: "draft-2020-12" }): Record<string, unknown> };
  };
}

export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type of the values that a schema accepts, after its transforms. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];
