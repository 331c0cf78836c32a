import { isPlainObject, type SourcePosition } from "@bridle/protocol";
import type { ModelDocument, ModelPath } from "@bridle/semantic/model-parts";
import type { z } from "zod";
import type { ImportReport } from "./import-report.ts";

/** A value in a YAML file, with its position. */
export class LocatedValue {
  readonly value: unknown;
  readonly #document: ModelDocument;
  readonly #path: ModelPath;

  constructor(document: ModelDocument, path: ModelPath, value: unknown) {
    this.#document = document;
    this.#path = path;
    this.value = value;
  }

  get position(): SourcePosition {
    return this.#document.at(this.#path);
  }

  at(...path: ModelPath): SourcePosition {
    return this.#document.at([...this.#path, ...path]);
  }

  child(key: string): LocatedValue | undefined {
    const value = isPlainObject(this.value) ? this.value[key] : undefined;
    return value === undefined ? undefined : new LocatedValue(this.#document, [...this.#path, key], value);
  }

  /** Returns the entries of the list at a key. */
  list(key: string): readonly LocatedValue[] {
    const value = isPlainObject(this.value) ? this.value[key] : undefined;
    if (!Array.isArray(value)) return [];
    return value.map((each: unknown, index) => new LocatedValue(this.#document, [...this.#path, key, index], each));
  }

  /** Returns the subject for messages, such as `measure revenue`. */
  subject(kind: string): string {
    const name = isPlainObject(this.value) ? this.value.name : undefined;
    return typeof name === "string" ? `${kind} ${name}` : kind;
  }

  /** Parses the value with a schema. If the value does not match, adds a finding for each fault. */
  parse<Schema extends z.ZodType>(schema: Schema, kind: string, report: ImportReport): z.output<Schema> | undefined {
    const parsed = schema.safeParse(this.value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const keys = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
      for (const key of keys) {
        const path = key === undefined ? issue.path : [...issue.path, key];
        const reason = key === undefined ? `${path.map(String).join(".")}: ${issue.message}.` : unknownKey(key);
        report.add("refused", this.subject(kind), reason, this.at(...path));
      }
    }
    return undefined;
  }
}

function unknownKey(key: string): string {
  return `The key "${key}" is unknown, and may change the meaning. Remove it.`;
}
