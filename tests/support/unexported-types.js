/**
 * Prints the Bridle types that public declarations use although no entry exports them, as JSON: `EXPORT uses TYPE`. It uses the compiler
 * API, which TypeScript 7 does not have. The arguments are the folder of TypeScript 5 and the declarations.
 */
import { createRequire } from "node:module";

const [compiler = "", ...entries] = process.argv.slice(2);
const ts = createRequire(`${compiler}/`)("typescript");
const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, skipLibCheck: true, types: [] };
const program = ts.createProgram(entries, options);
const checker = program.getTypeChecker();
const isOwn = (declaration) =>
  /\/packages\/.*\/dist\/(?!zod|in-out|schemas)/.test(declaration.getSourceFile().fileName);
const original = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

const exported = new Map();
for (const entry of entries) {
  for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)))) {
    exported.set(original(symbol), symbol.name);
  }
}
const found = new Set();
for (const [symbol, name] of exported) for (const declaration of symbol.declarations ?? []) visit(declaration, name);
console.log(JSON.stringify([...found].sort()));

function visit(node, name) {
  if (ts.isTypeQueryNode(node)) return;
  const isPrivate =
    ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
  if (isPrivate || (node.name && ts.isPrivateIdentifier(node.name))) return;
  const reference = referenceIn(node);
  const symbol = reference && checker.getSymbolAtLocation(reference);
  if (symbol) {
    const target = original(symbol);
    const isParameter = target.flags & ts.SymbolFlags.TypeParameter;
    if (!isParameter && !exported.has(target) && target.declarations?.some(isOwn))
      found.add(`${name} uses ${target.name}`);
  }
  ts.forEachChild(node, (child) => visit(child, name));
}

function referenceIn(node) {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return node.qualifier;
  return undefined;
}
