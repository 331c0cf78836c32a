import { assertDepth, type DescribedInput, getErrorMessage, type JsonSchema, type Logger } from "@bridle/protocol";
import { SchemaValidator } from "./schema-validator.ts";

/**
 * Creates the inputs of a server's tools. The model gets each schema unchanged. Throws an Error for an invalid schema. Creating a validator
 * is slow, so tools share one. It treats schemas with the same `$id` as the same schema, so tools with such schemas get their own
 * validators.
 */
export function createToolInputs(logger: Logger): (jsonSchema: JsonSchema) => DescribedInput {
  const shared = new SchemaValidator(logger);
  return (jsonSchema) => toolInput(jsonSchema, "$id" in jsonSchema ? new SchemaValidator(logger) : shared);
}

function toolInput(jsonSchema: JsonSchema, validator: SchemaValidator): DescribedInput {
  const validate = compile(jsonSchema, validator);
  return {
    jsonSchema,
    problems(input) {
      const { valid, errorMessage } = validate(input);
      return valid ? [] : toSentences(errorMessage ?? "does not fit the schema");
    },
  };
}

function compile(jsonSchema: JsonSchema, validator: SchemaValidator) {
  try {
    assertDepth(jsonSchema);
    return validator.getValidator(jsonSchema);
  } catch (cause) {
    throw new Error(`its input cannot be checked (${getErrorMessage(cause)})`, { cause });
  }
}

/** Splits `data/lines/0 must be object, data must have …` into sentences, with paths such as `lines.0`. */
function toSentences(message: string): string[] {
  return message
    .split(/, (?=data[ /])/)
    .map((problem) =>
      problem.replace(/^data(\S*) /, (_, path: string) => `${path.slice(1).replaceAll("/", ".") || "(input)"}: `),
    );
}
