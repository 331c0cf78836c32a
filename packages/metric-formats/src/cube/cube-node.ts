/** A value in a Cube file, in YAML or JavaScript, with its position. */
import { isPlainObject, type SourcePosition } from "@bridle/protocol";
import type { ModelPath } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";

/** A reference in JavaScript, such as `orders` in `extends: orders`. */
export class CodeReference {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value that JavaScript code would compute. The code is never run. */
export class ComputedCode {
  /** A description for messages, such as `a function`. */
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

type PlaceOf = (path: ModelPath) => SourcePosition;

export class CubeNode {
  readonly value: unknown;
  readonly #path: ModelPath;
  readonly #placeOf: PlaceOf;
  readonly #name: string | undefined;

  constructor(value: unknown, placeOf: PlaceOf, path: ModelPath = [], name?: string) {
    this.value = value;
    this.#placeOf = placeOf;
    this.#path = path;
    this.#name = name;
  }

  get position(): SourcePosition {
    return this.#placeOf(this.#path);
  }

  /** The key of a member in JavaScript, or its `name`. */
  get name(): string {
    const own = this.#name ?? this.child("name")?.value;
    return typeof own === "string" ? own : "";
  }

  /** The keys in snake_case, which both forms know. */
  get keys(): readonly string[] {
    return isMapping(this.value) ? Object.keys(this.value).map(snakeCase) : [];
  }

  child(key: string): CubeNode | undefined {
    if (!isMapping(this.value)) return undefined;
    const found = Object.keys(this.value).find((each) => snakeCase(each) === key);
    const value = found === undefined ? undefined : this.value[found];
    if (found === undefined || value === undefined || value === null) return undefined;
    return new CubeNode(value, this.#placeOf, [...this.#path, found]);
  }

  /** Returns the string at a key; undefined if there is no value. Throws an ImportRefusalError if the value is something else. */
  text(key: string): string | undefined {
    const child = this.child(key);
    if (child === undefined) return undefined;
    const { value } = child;
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    return refuseImport(`${key} is ${describe(value)}. Write a text.`);
  }

  isTrue(key: string): boolean {
    const value = this.child(key)?.value;
    return value === true || value === "true";
  }

  /** Returns the entries of a list, or the members of a JavaScript object, whose keys are their names. */
  entries(key: string): readonly CubeNode[] {
    const child = this.child(key);
    if (child === undefined) return [];
    const { value } = child;
    const path = child.#path;
    if (Array.isArray(value))
      return value.map((each: unknown, index) => new CubeNode(each, this.#placeOf, [...path, index]));
    if (!isMapping(value)) return refuseImport(`${key} is ${describe(value)}. Write a list.`);
    return Object.entries(value).map(([name, each]) => new CubeNode(each, this.#placeOf, [...path, name], name));
  }

  /** Refuses a member that is not an object. */
  requireMembers(): void {
    if (!isMapping(this.value)) refuseImport(`It is ${describe(this.value)}. Write a plain object.`);
  }

  subject(kind: string): string {
    return this.name === "" ? kind : `${kind} ${this.name}`;
  }
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return isPlainObject(value) && !(value instanceof CodeReference || value instanceof ComputedCode);
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function describe(value: unknown): string {
  if (value instanceof ComputedCode) return `${value.what}, which is not run`;
  if (value instanceof CodeReference) return `the variable ${value.name}, which has no known value`;
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The cubes and views in files. */
export interface CubeFiles {
  readonly cubes: readonly CubeNode[];
  readonly views: readonly CubeNode[];
}
