/** The content of a LookML file, with the position of each parameter. */
import type { SourcePosition } from "@bridle/protocol";

/**
 * The value of a parameter: a string in `type: sum`, a list in `timeframes: [date, week]`, and a block with the name `orders` in `view:
 * orders { … }`.
 */
export type LookmlValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly LookmlItem[] }
  | { readonly kind: "block"; readonly block: LookmlBlock };

/** An item of a list; `filters: [status: "paid"]` has items with keys. */
export interface LookmlItem {
  readonly key: string | undefined;
  readonly text: string;
  readonly position: SourcePosition;
}

export interface LookmlParameter {
  readonly key: string;
  readonly value: LookmlValue;
  readonly position: SourcePosition;
}

/** A block in braces. Its name is empty if the file does not give one. */
export class LookmlBlock {
  readonly key: string;
  readonly name: string;
  readonly parameters: readonly LookmlParameter[];
  readonly position: SourcePosition;

  constructor(key: string, name: string, parameters: readonly LookmlParameter[], position: SourcePosition) {
    this.key = key;
    this.name = name;
    this.parameters = parameters;
    this.position = position;
  }

  /** Returns the last parameter with a key. */
  parameter(key: string): LookmlParameter | undefined {
    return this.parameters.findLast((each) => each.key === key);
  }

  text(key: string): string | undefined {
    const value = this.parameter(key)?.value;
    return value?.kind === "text" ? value.text : undefined;
  }

  items(key: string): readonly LookmlItem[] {
    const parameter = this.parameter(key);
    if (parameter?.value.kind === "list") return parameter.value.items;
    const text = parameter?.value.kind === "text" ? parameter.value.text : undefined;
    return parameter && text !== undefined ? [{ key: undefined, text, position: parameter.position }] : [];
  }

  blocks(...keys: readonly string[]): readonly LookmlBlock[] {
    return this.parameters.flatMap(({ key, value }) =>
      keys.includes(key) && value.kind === "block" ? [value.block] : [],
    );
  }

  /** Whether a parameter has the value `yes`. */
  says(key: string): boolean {
    return this.text(key)?.toLowerCase() === "yes";
  }

  at(key: string): SourcePosition {
    return this.parameter(key)?.position ?? this.position;
  }

  /** The subject for messages, such as `measure revenue`. */
  get subject(): string {
    return this.name === "" ? this.key : `${this.key.replaceAll("_", " ")} ${this.name}`;
  }

  with(parameters: readonly LookmlParameter[], name = this.name): LookmlBlock {
    return new LookmlBlock(this.key, name, parameters, this.position);
  }
}
