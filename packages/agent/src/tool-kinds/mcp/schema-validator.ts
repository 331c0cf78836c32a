import type { Logger } from "@bridle/protocol";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { Ajv, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Validator = Pick<AjvJsonSchemaValidator, "getValidator">;

/** Schema dialects by the URI in `$schema`, without its scheme. */
const dialects: Readonly<Record<string, new (options: Options) => Ajv>> = {
  "json-schema.org/draft/2020-12/schema": Ajv2020,
  "json-schema.org/draft/2019-09/schema": Ajv2019,
  "json-schema.org/draft-07/schema": Ajv,
  "json-schema.org/draft-06/schema": Ajv,
};
const usual = "https://json-schema.org/draft/2020-12/schema";

/**
 * Checks values as the protocol's SDK does. Messages that its validator would print on the console, for example about an unknown `format`,
 * go to the logger instead: standard output belongs to the program, and may carry another protocol.
 */
export class SchemaValidator implements Validator {
  readonly #logger: Logger;
  readonly #engines = new Map<string, AjvJsonSchemaValidator>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Throws an Error for a schema that cannot be used, such as one of an unknown dialect. */
  getValidator: Validator["getValidator"] = (schema) =>
    this.#engineOf(String(schema.$schema ?? usual)).getValidator(schema);

  #engineOf(uri: string): AjvJsonSchemaValidator {
    const dialect = uri.replace(/^https?:\/\//, "").replace(/#$/, "");
    const engine = this.#engines.get(dialect) ?? this.#createEngine(dialects[dialect]);
    this.#engines.set(dialect, engine);
    return engine;
  }

  /**
   * Creates the validator for a dialect. For an unknown dialect, returns the SDK's own validator, which refuses the schema with a reason.
   */
  #createEngine(dialect: (new (options: Options) => Ajv) | undefined): AjvJsonSchemaValidator {
    if (dialect === undefined) return new AjvJsonSchemaValidator();
    const note = (...words: unknown[]) =>
      this.#logger.debug({ note: words.join(" ") }, "a note about the schema of an MCP tool");
    const ajv = new dialect({
      strict: false,
      validateFormats: true,
      validateSchema: false,
      allErrors: true,
      logger: { log: note, warn: note, error: note },
    });
    addFormats.default(ajv);
    return new AjvJsonSchemaValidator(ajv);
  }
}
