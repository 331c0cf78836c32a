import type { ModelPath } from "@bridle/semantic/model-parts";
import type { Expression, Node, ObjectExpression, Property, SpreadElement, TemplateLiteral } from "acorn";
import { CodeReference, ComputedCode } from "./cube-node.ts";

/** Reads plain JavaScript values, with their positions. References in templates become braces, as in Cube's YAML. */
export class ScriptValues {
  readonly places = new Map<string, Node>();
  /** Names that the file declares, whose values are unknown. */
  readonly #declared: ReadonlySet<string>;

  constructor(declared: ReadonlySet<string>) {
    this.#declared = declared;
  }

  read(node: Expression | SpreadElement | Property["value"], path: ModelPath): unknown {
    if (!this.places.has(JSON.stringify(path))) this.places.set(JSON.stringify(path), node);
    switch (node.type) {
      case "Literal":
        return isPlain(node.value) ? node.value : new ComputedCode("a value");
      case "TemplateLiteral":
        return this.#template(node);
      case "ArrayExpression":
        return node.elements.map((each, index) => (each ? this.read(each, [...path, index]) : null));
      case "ObjectExpression":
        return this.#object(node, path);
      case "UnaryExpression":
        return this.#negative(node.operator, this.read(node.argument, path));
      case "Identifier":
      case "MemberExpression": {
        const name = pathOf(node);
        return name && !this.#declared.has(name[0] ?? "")
          ? new CodeReference(name.join("."))
          : new ComputedCode("a variable");
      }
      case "ArrowFunctionExpression":
      case "FunctionExpression":
        return new ComputedCode("a function");
      default:
        return new ComputedCode("computed");
    }
  }

  #object({ properties }: ObjectExpression, path: ModelPath): unknown {
    const entries = properties.map((property): readonly [string, unknown] | undefined => {
      if (property.type === "SpreadElement" || property.computed || property.kind !== "init") return undefined;
      const { key } = property;
      const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : undefined;
      if (name === undefined) return undefined;
      const inner = [...path, name];
      this.places.set(JSON.stringify(inner), property);
      return [name, this.read(property.value, inner)];
    });
    const known = entries.flatMap((entry) => (entry ? [entry] : []));
    const names = new Set(known.map(([name]) => name));
    // Refuses objects with a spread or a computed key, which could add or replace any key, and objects in which a key occurs twice.
    if (known.length < entries.length) return new ComputedCode("an object with computed keys");
    return names.size < known.length ? new ComputedCode("an object with a key twice") : Object.fromEntries(known);
  }

  #negative(operator: string, value: unknown): unknown {
    return operator === "-" && typeof value === "number" ? -value : new ComputedCode("computed");
  }

  #template({ quasis, expressions }: TemplateLiteral): unknown {
    const texts = quasis.map(({ value }) => value.cooked ?? undefined);
    const names = expressions.map((each) => pathOf(each));
    const isKnown = names.every((name) => name !== undefined && !this.#declared.has(name[0] ?? ""));
    if (!isKnown || texts.includes(undefined)) return new ComputedCode("a template with computed parts");
    // Refuses braces in the text itself, because they would be read as references.
    if (texts.some((each) => /[{}]/.test(each ?? ""))) return new ComputedCode("a template with braces");
    return texts.map((each, index) => `${each}${names[index] ? `{${names[index].join(".")}}` : ""}`).join("");
  }
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** Returns the names in an expression such as `CUBE.status`. */
function pathOf(expression: Expression): readonly string[] | undefined {
  if (expression.type === "Identifier") return [expression.name];
  if (expression.type !== "MemberExpression" || expression.computed || expression.property.type !== "Identifier")
    return undefined;
  const object = expression.object.type === "Super" ? undefined : pathOf(expression.object);
  return object && [...object, expression.property.name];
}
