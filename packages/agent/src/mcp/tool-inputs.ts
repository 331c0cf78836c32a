import type { DescribedInput, JsonSchema } from "@bridle/protocol";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";

/**
 * Makes inputs as a server describes them: the schema goes to the model unchanged. Throws where one is no schema.
 * A validator is costly to make, so those of one list share it; but it takes schemas of one `$id` for one schema.
 */
export function createInputs(): (jsonSchema: JsonSchema) => DescribedInput {
  const shared = new AjvJsonSchemaValidator();
  return (jsonSchema) => inputOf(jsonSchema, "$id" in jsonSchema ? new AjvJsonSchemaValidator() : shared);
}

function inputOf(jsonSchema: JsonSchema, validator: AjvJsonSchemaValidator): DescribedInput {
  const validate = validatorOf(jsonSchema, validator);
  return {
    jsonSchema,
    problems(input) {
      const { valid, errorMessage } = validate(input);
      return valid ? [] : toSentences(errorMessage ?? "does not fit the schema");
    },
  };
}

function validatorOf(jsonSchema: JsonSchema, validator: AjvJsonSchemaValidator) {
  try {
    return validator.getValidator(jsonSchema);
  } catch (cause) {
    throw new Error(`its input cannot be checked (${cause instanceof Error ? cause.message : String(cause)})`, {
      cause,
    });
  }
}

/** `data/lines/0 must be object, data must have …`: one sentence for each, with its path as ours are written. */
function toSentences(message: string): string[] {
  return message
    .split(/, (?=data[ /])/)
    .map((problem) =>
      problem.replace(/^data(\S*) /, (_, path: string) => `${path.slice(1).replaceAll("/", ".") || "(input)"}: `),
    );
}
