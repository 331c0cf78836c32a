/** Reads the modules that a JavaScript or TypeScript file may load from its syntax tree. Pure. */
import { tsPlugin } from "@sveltejs/acorn-typescript";
import { type Node, type Options, Parser } from "acorn";
import { tryTo } from "./try-to.ts";

/** The modules that a module's code loads or may load. */
export interface Imports {
  /** Names in statements and calls that load modules. */
  readonly names: readonly string[];
  /** All other strings. One of them may become the name of a module, such as an argument of a renamed `require`. */
  readonly texts: readonly string[];
  /** Whether the module may load files whose names are not in its text, or are not recognizable as names. */
  readonly isOpen: boolean;
}

/** Node.js modules and packages that load files or start programs whose names their caller computes. */
const loaders: ReadonlySet<string> = new Set([
  "child_process",
  "cluster",
  "cross-spawn",
  "esbuild",
  "execa",
  "import-fresh",
  "inspector",
  "jiti",
  "module",
  "piscina",
  "repl",
  "rolldown",
  "sqlite",
  "test",
  "tinypool",
  "ts-node",
  "tsx",
  "vite",
  "vm",
  "wasi",
  "worker_threads",
  "workerpool",
  "zx",
]);

/** Global names that run text as code, or give access to every module. */
const openNames: ReadonlySet<string> = new Set(["eval", "Function", "Worker", "SharedWorker"]);

/** Names of properties, of any value, with the same effect. */
const openProperties: ReadonlySet<string> = new Set([
  "_linkedBinding",
  "_load",
  "binding",
  "constructor",
  "createRequire",
  "dlopen",
  "eval",
  "Function",
  "getBuiltinModule",
  "mainModule",
  "require",
]);

/** Names through which code can reach such properties by a computed name. */
const globals: ReadonlySet<string> = new Set(["globalThis", "global", "process", "module", "Reflect"]);
const plainOfMeta: ReadonlySet<string> = new Set(["url", "dirname", "filename", "main"]);

/** Reads the imports of a module. Undefined if the module cannot be parsed. */
export function readImports(text: string, ending: string): Imports | undefined {
  const found = tryTo(() => parseWays(text, ending).map((tree) => new ImportReader(tree).read())) ?? [];
  if (found.length === 0) return undefined;
  return {
    names: found.flatMap(({ names }) => names),
    texts: found.flatMap(({ texts }) => texts),
    isOpen: found.some(({ isOpen }) => isOpen),
  };
}

const script = Parser;
const typed = Parser.extend(tsPlugin());
const typedMarkup = Parser.extend(tsPlugin({ jsx: true }));

/**
 * Parses as a module and as a script, unless the ending decides: comments such as `<!--` hide different parts in each. The imports of both
 * are returned.
 */
function parseWays(text: string, ending: string): Node[] {
  const parser = /^\.[cm]?ts$/.test(ending) ? typed : /x$/.test(ending) ? typedMarkup : script;
  const types: readonly ("module" | "script")[] = /^\.m/.test(ending) ? ["module"] : ["module", "script"];
  return types.flatMap((sourceType) => {
    const options: Options = {
      ecmaVersion: "latest",
      sourceType,
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      locations: parser !== script, // the TypeScript plugin needs locations
    };
    const tree = tryTo(() => parser.parse(text, options));
    return tree === undefined ? [] : [tree];
  });
}

/** Any node. Its properties are read by name, because TypeScript adds its own kinds of nodes. */
type Tree = Node & Readonly<Record<string, unknown>>;

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

class ImportReader {
  readonly #names: string[] = [];
  readonly #texts: string[] = [];
  readonly #root: unknown;
  /** Mentions of `require`, `import.meta` and `process` whose only effect is visible in the code. Any other mention may load any module. */
  readonly #plain = new Set<unknown>();
  /** Loaded modules that are only used in a recognizable way. */
  readonly #plainSources = new Set<unknown>();
  readonly #textOf = new Map<Tree, string | undefined>();
  #isOpen = false;

  constructor(root: unknown) {
    this.#root = root;
  }

  read(): Imports {
    const waiting: unknown[] = [this.#root]; // not recursive, because trees can be deep
    while (waiting.length > 0) {
      const next = waiting.pop();
      if (Array.isArray(next)) for (const each of next) waiting.push(each);
      else if (isTree(next)) {
        this.#readNode(next);
        for (const key of Object.keys(next)) if (key !== "loc") waiting.push(next[key]);
      }
    }
    return { names: this.#names, texts: this.#texts, isOpen: this.#isOpen };
  }

  #readNode(node: Tree): void {
    const text = this.#text(node);
    if (text !== undefined) this.#texts.push(text);
    switch (node.type) {
      case "ImportDeclaration":
        if (isProcess(this.#text(node.source))) this.#importProcess(node);
        this.#load(node.source);
        break;
      case "ExportNamedDeclaration":
      case "ExportAllDeclaration":
        this.#load(node.source);
        break;
      case "ImportExpression":
        this.#loadValue(node, node.source);
        break;
      case "TSExternalModuleReference":
        this.#load(node.expression);
        break;
      case "TSImportType":
        this.#load(node.argument ?? node.literal);
        break;
      case "CallExpression":
      case "NewExpression":
        this.#call(node);
        break;
      case "MemberExpression":
        this.#member(node);
        break;
      case "MetaProperty":
        if (isMeta(node) && !this.#plain.has(node)) this.#isOpen = true;
        return;
      case "Property":
        this.#property(node);
        break;
      case "ImportSpecifier":
      case "ExportSpecifier":
        this.#specifier(node);
        break;
      case "VariableDeclarator":
        this.#declare(node);
        break;
      case "Identifier":
        this.#identifier(node);
        break;
      default:
    }
  }

  #load(source: unknown): void {
    if (!isTree(source)) return; // an export without `from`
    const name = this.#text(source);
    if (name === undefined) this.#isOpen = true;
    else this.#name(name);
  }

  /** Records a module that is loaded as a value, whose parts the code can use later. */
  #loadValue(node: Tree, source: unknown): void {
    this.#load(source);
    if (isProcess(this.#text(source)) && !this.#plainSources.has(node)) this.#isOpen = true;
  }

  /**
   * Checks an import of `node:process`. Like the global `process`, its value gives access to every module, and by another name it would not
   * be recognized.
   */
  #importProcess({ specifiers }: Tree): void {
    for (const each of treesIn(specifiers)) {
      if (each.type === "ImportSpecifier" && nameOf(each.imported) !== "default") continue;
      if (isNamed(each.local, "process")) this.#plain.add(each.local);
      else this.#isOpen = true;
    }
  }

  /** Marks a loaded value as recognizable if the variable is named `process`, or if the declaration names the parts that it takes. */
  #declare({ id, init }: Tree): void {
    const parts = isTree(id) && id.type === "ObjectPattern" ? treesIn(id.properties) : [];
    if (isNamed(id, "process")) {
      this.#plain.add(id);
      this.#plainSources.add(awaited(init));
    } else if (parts.length > 0 && parts.every(({ type, computed }) => type === "Property" && !computed)) {
      this.#plainSources.add(awaited(init));
    }
  }

  #name(name: string): void {
    this.#names.push(name);
    const [first = ""] = name.replace(/^node:/, "").split("/");
    if (loaders.has(first) || name.startsWith("data:")) this.#isOpen = true;
  }

  #call(node: Tree): void {
    const { callee, arguments: given } = node;
    const [first, second] = Array.isArray(given) ? given : [];
    if (isNamed(callee, "require")) {
      this.#plain.add(callee);
      this.#loadValue(node, first);
    } else if (isMember(callee, "resolve") && (isNamed(callee.object, "require") || isMeta(callee.object))) {
      this.#plain.add(callee.object);
      this.#load(first);
    } else if (isNamed(callee, "URL") && isMember(second, "url") && isMeta(second.object)) {
      const name = this.#text(first); // files with other endings may be data that the code writes
      if (name !== undefined && /\.[cm]?[jt]sx?$/.test(name.replace(/[?#].*$/, ""))) this.#name(name);
    }
  }

  #member({ object, property, computed }: Tree): void {
    const name = computed ? this.#text(property) : nameOf(property);
    if (name === undefined) return;
    if (openProperties.has(name)) this.#isOpen = true;
    if (isMeta(object) && plainOfMeta.has(name)) this.#plain.add(object);
    this.#plainSources.add(awaited(object));
    if (isTree(object) && globals.has(nameOf(object) ?? "")) this.#plain.add(object);
  }

  #identifier(node: Tree): void {
    const name = nameOf(node) ?? "";
    if (openNames.has(name) || globals.has(name) || name === "require") this.#isOpen ||= !this.#plain.has(node);
  }

  /** Detects a loader that is imported from a module, as in `import { getBuiltinModule as load } from …`. */
  #specifier({ imported, local }: Tree): void {
    const source = imported ?? local;
    if (openProperties.has(nameOf(source) ?? this.#text(source) ?? "")) this.#isOpen = true;
  }

  /** Detects a loader that is taken from a value, as in `const { getBuiltinModule: load } = …`. */
  #property({ key, computed }: Tree): void {
    const name = computed ? this.#text(key) : (nameOf(key) ?? this.#text(key));
    if (name !== undefined && openProperties.has(name)) this.#isOpen = true;
  }

  /** Returns the string that a literal, a template without variables, or strings joined with `+` stand for; undefined for other nodes. */
  #text(node: unknown): string | undefined {
    if (!isTree(node)) return undefined;
    if (!this.#textOf.has(node)) this.#textOf.set(node, this.#readText(node));
    return this.#textOf.get(node);
  }

  #readText(node: Tree): string | undefined {
    switch (node.type) {
      case "Literal":
        return typeof node.value === "string" ? node.value : undefined;
      case "TemplateLiteral":
        return this.#templateText(node);
      case "BinaryExpression": {
        if (node.operator !== "+") return undefined;
        const [left, right] = [this.#text(node.left), this.#text(node.right)];
        return left === undefined || right === undefined ? undefined : left + right;
      }
      case "ParenthesizedExpression":
      case "TSAsExpression":
      case "TSLiteralType":
      case "TSNonNullExpression":
      case "TSSatisfiesExpression":
      case "TSTypeAssertion":
        return this.#text(node.expression ?? node.literal);
      default:
        return undefined;
    }
  }

  #templateText({ quasis, expressions }: Tree): string | undefined {
    if (!Array.isArray(quasis) || !Array.isArray(expressions)) return undefined;
    let text = "";
    for (const [index, quasi] of quasis.entries()) {
      const next = index < expressions.length ? this.#text(expressions[index]) : "";
      const cooked = cookedText(quasi);
      if (cooked === undefined || next === undefined) return undefined;
      text += cooked + next;
    }
    return text;
  }
}

function cookedText(quasi: unknown): string | undefined {
  const value: unknown = isTree(quasi) ? quasi.value : undefined;
  if (typeof value !== "object" || value === null || !("cooked" in value)) return undefined;
  return typeof value.cooked === "string" ? value.cooked : undefined;
}

function treesIn(value: unknown): Tree[] {
  return Array.isArray(value) ? value.filter((each) => isTree(each)) : [];
}

function awaited(node: unknown): unknown {
  return isTree(node) && node.type === "AwaitExpression" ? node.argument : node;
}

function nameOf(node: unknown): string | undefined {
  return isTree(node) && typeof node.name === "string" ? node.name : undefined;
}

function isNamed(node: unknown, name: string): node is Tree {
  return isTree(node) && node.type === "Identifier" && node.name === name;
}

function isProcess(name: string | undefined): boolean {
  return name === "node:process" || name === "process";
}

function isMeta(node: unknown): node is Tree {
  return isTree(node) && node.type === "MetaProperty" && nameOf(node.meta) === "import";
}

function isMember(node: unknown, name: string): node is Tree {
  return isTree(node) && node.type === "MemberExpression" && !node.computed && nameOf(node.property) === name;
}
