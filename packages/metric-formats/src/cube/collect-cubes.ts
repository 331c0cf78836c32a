/** Collects the cubes of a project, with the cubes that they extend. */
import { type ImportReport, refuseImport } from "../import-report.ts";
import { CodeReference, type CubeNode } from "./cube-node.ts";

/** The members of a cube, which override those of the cube that it extends. */
export interface CubeDeclaration {
  readonly name: string;
  readonly node: CubeNode;
  /** Returns the own or inherited value of a key. */
  inherited(key: string): CubeNode | undefined;
  readonly dimensions: readonly CubeNode[];
  readonly measures: readonly CubeNode[];
  readonly segments: readonly CubeNode[];
  readonly joins: readonly CubeNode[];
}

export function collectCubes(nodes: readonly CubeNode[], report: ImportReport): readonly CubeDeclaration[] {
  const declared = new Map<string, CubeNode>();
  for (const node of nodes) {
    report.attempt(node.subject("cube"), node.position, () => {
      if (!/^[A-Za-z_]\w*$/.test(node.name))
        refuseImport(`"${node.name}" is not a valid name. Use letters, digits and underscores.`);
      if (declared.has(node.name)) refuseImport("Another one before it has the same name. Rename one.");
      declared.set(node.name, node);
    });
  }
  const collection = new CubeCollection(declared, report);
  return [...declared.values()].flatMap((node) => {
    const found = report.attempt(node.subject("cube"), node.position, () => collection.resolve(node.name));
    return found ? [found] : [];
  });
}

class CubeCollection {
  readonly #declared: ReadonlyMap<string, CubeNode>;
  readonly #report: ImportReport;
  readonly #done = new Map<string, CubeDeclaration>();
  readonly #open: string[] = [];

  constructor(declared: ReadonlyMap<string, CubeNode>, report: ImportReport) {
    this.#declared = declared;
    this.#report = report;
  }

  resolve(name: string): CubeDeclaration {
    const done = this.#done.get(name);
    if (done) return done;
    if (this.#open.includes(name))
      refuseImport(`It extends itself: ${[...this.#open, name].join(", ")}. Break the cycle.`);
    const node =
      this.#declared.get(name) ?? refuseImport(`It extends "${name}", which is not among the files. Add it.`);
    this.#open.push(name);
    try {
      const lower = extendedBy(node);
      const found = this.#over(node, lower === undefined ? undefined : this.resolve(lower));
      this.#done.set(name, found);
      return found;
    } finally {
      this.#open.pop();
    }
  }

  #over(node: CubeNode, lower: CubeDeclaration | undefined): CubeDeclaration {
    const seen = new Set<string>();
    const members = (key: "dimensions" | "measures" | "segments", kind: string) =>
      merged(lower?.[key] ?? [], this.#firstOf(node.entries(key), kind, seen));
    return {
      name: node.name,
      node,
      inherited: (key) => node.child(key) ?? lower?.inherited(key),
      dimensions: members("dimensions", "dimension"),
      measures: members("measures", "measure"),
      segments: members("segments", "segment"),
      joins: merged(lower?.joins ?? [], this.#firstOf(node.entries("joins"), "join", new Set())),
    };
  }

  #firstOf(entries: readonly CubeNode[], kind: string, seen: Set<string>): readonly CubeNode[] {
    return entries.filter((entry) => {
      const { name, position } = entry;
      const isName = /^[A-Za-z_]\w*$/.test(name);
      if (!isName)
        this.#report.add(
          "refused",
          kind,
          `"${name}" is not a valid name. Use letters, digits and underscores.`,
          position,
        );
      else if (seen.has(name))
        this.#report.add(
          "refused",
          entry.subject(kind),
          "Another one before it has the same name. Rename one.",
          position,
        );
      const isFirst = isName && !seen.has(name);
      seen.add(name);
      return isFirst;
    });
  }
}

function extendedBy(node: CubeNode): string | undefined {
  const value = node.child("extends")?.value;
  if (value === undefined) return undefined;
  if (value instanceof CodeReference) return value.name;
  return typeof value === "string"
    ? value.replace(/^\{\s*|\s*\}$/g, "")
    : refuseImport("What it extends is computed. Write its name.");
}

function merged(lower: readonly CubeNode[], upper: readonly CubeNode[]): readonly CubeNode[] {
  const over = new Map(upper.map((each) => [each.name, each]));
  const kept = lower.map((each) => over.get(each.name) ?? each);
  return [...kept, ...upper.filter(({ name }) => !lower.some((each) => each.name === name))];
}
