/** Reads `cube(…)` and `view(…)` in a JavaScript file, without running any of it. Computed values are refused where they are needed. */
import type { SourcePosition } from "@bridle/protocol";
import type { ModelFile, ModelPath } from "@bridle/semantic/model-parts";
import { type CallExpression, type Node, type Program, parse, type Statement } from "acorn";
import { type ImportReport, refuseImport } from "../import-report.ts";
import { type CubeFiles, CubeNode } from "./cube-node.ts";
import { ScriptValues } from "./script-values.ts";

/** Reads a file. Throws an ImportRefusalError if the text is not valid JavaScript. */
export function readCubeScript({ file, text }: ModelFile, report: ImportReport): CubeFiles {
  const { body } = parseScript(file, text, report);
  const declared = new Set(body.flatMap(namesOf));
  const found: { cubes: CubeNode[]; views: CubeNode[] } = { cubes: [], views: [] };
  for (const statement of body) {
    const call = callOf(statement);
    const at = positionOf(file, statement);
    if (call) {
      report.attempt(call.kind, at, () => found[`${call.kind}s`].push(readCall(file, call.call, declared)));
    } else if (statement.type !== "ImportDeclaration" && statement.type !== "EmptyStatement") {
      const reason = "It is computed, and nothing is run. Write cube(`name`, { … }) with plain values.";
      report.add("refused", "statement", reason, at);
    }
  }
  return found;
}

function parseScript(file: string, text: string, report: ImportReport): Pick<Program, "body"> {
  try {
    return parse(text, { ecmaVersion: "latest", sourceType: "module", locations: true });
  } catch (error) {
    const line = text.slice(0, isParseError(error) ? error.pos : 0).split("\n").length;
    const why = isParseError(error) ? error.message.replace(/\s*\(\d+:\d+\)$/, "") : "it cannot be read";
    report.add("refused", file, `This is not JavaScript: ${why}. Correct the line.`, { file, line });
    return { body: [] };
  }
}

function isParseError(error: unknown): error is SyntaxError & { readonly pos: number } {
  return error instanceof SyntaxError && "pos" in error && typeof error.pos === "number";
}

function positionOf(file: string, { loc }: Node): SourcePosition {
  return { file, line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1 };
}

function callOf(statement: Program["body"][number]) {
  const expression = statement.type === "ExpressionStatement" ? statement.expression : undefined;
  if (expression?.type !== "CallExpression" || expression.callee.type !== "Identifier") return undefined;
  const { name } = expression.callee;
  return name === "cube" || name === "view" ? ({ kind: name, call: expression } as const) : undefined;
}

function readCall(file: string, call: CallExpression, declared: ReadonlySet<string>): CubeNode {
  const [first, second, ...more] = call.arguments;
  if (!first || !second || more.length > 0)
    return refuseImport("It needs a name and an object. Write cube(`name`, { … }).");
  const values = new ScriptValues(declared);
  const name = values.read(first, []);
  if (typeof name !== "string") return refuseImport("Its name is computed. Write the text.");
  if (second.type !== "ObjectExpression") return refuseImport("It is not a plain object. Write cube(`name`, { … }).");
  const value = values.read(second, []);
  const places = values.places;
  const at = (path: ModelPath): SourcePosition => {
    const node = path.length === 0 ? call : places.get(JSON.stringify(path));
    return node ? positionOf(file, node) : at(path.slice(0, -1));
  };
  return new CubeNode(value, at, [], name);
}

/** Returns the names that a statement declares. Templates that use these names count as computed. */
function namesOf(statement: Statement | Program["body"][number]): readonly string[] {
  switch (statement.type) {
    case "VariableDeclaration":
      return statement.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return [statement.id.name];
    case "ImportDeclaration":
      return statement.specifiers.map(({ local }) => local.name);
    default:
      return [];
  }
}
