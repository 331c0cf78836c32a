/**
 * Turns the nodes of a manifest into items. Each node is written in the format of a properties file, so that one reader handles both, and a
 * change of one node changes one item.
 */
import { stringify } from "yaml";
import type { SourceItem } from "../source.ts";
import { type DbtCatalog, type DbtManifest, type ManifestNode, manifestNode } from "./manifest-schema.ts";

const listOf: Readonly<Record<string, string>> = { model: "models", seed: "seeds", snapshot: "snapshots" };

export interface ManifestItems {
  readonly items: readonly SourceItem[];
  /** Ids of nodes with unexpected fields. */
  readonly unread: readonly string[];
}

export function manifestItems(manifest: DbtManifest, catalog: DbtCatalog): ManifestItems {
  const reader = new ManifestReader(manifest, catalog);
  return { items: reader.items(), unread: reader.unread };
}

class ManifestReader {
  readonly unread: string[] = [];
  readonly #nodes = new Map<string, ManifestNode>();
  readonly #tests = new Map<string, readonly ManifestNode[]>();
  readonly #catalog: DbtCatalog;
  readonly #project: string | null | undefined;

  constructor(manifest: DbtManifest, catalog: DbtCatalog) {
    this.#catalog = catalog;
    this.#project = manifest.metadata?.project_name;
    const { nodes, sources, exposures, groups } = manifest;
    for (const [id, raw] of Object.entries({ ...nodes, ...sources, ...exposures, ...groups })) {
      const parsed = manifestNode.safeParse(raw);
      if (parsed.success) this.#nodes.set(id, parsed.data);
      else this.unread.push(id);
    }
    const tests = [...this.#nodes.values()].filter(
      (node) => node.resource_type === "test" && node.test_metadata && node.config?.enabled !== false,
    );
    this.#tests = Map.groupBy(tests, (node) => node.attached_node ?? node.depends_on?.nodes?.at(-1) ?? "");
  }

  items(): readonly SourceItem[] {
    const own = [...this.#nodes].filter(
      ([, { package_name }]) => !this.#project || !package_name || package_name === this.#project,
    );
    return own.flatMap(([id, node]) => this.#item(id, node) ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  #item(id: string, node: ManifestNode): SourceItem | undefined {
    const content = this.#content(id, node);
    if (content === undefined || node.config?.enabled === false) return undefined;
    const text = stringify(content, { lineWidth: 0, aliasDuplicateObjects: false });
    const location = node.original_file_path ?? undefined;
    const title = node.source_name ? `${node.source_name}.${node.name}` : (node.label ?? node.name);
    const isStructured = !/^\s*description: (?:.{600,}|[|>])/m.test(text);
    return { id, title, text, kind: "node", authority: "certified", location, isStructured };
  }

  #content(id: string, node: ManifestNode): object | undefined {
    const list = listOf[node.resource_type];
    if (list !== undefined) return { [list]: [this.#table(id, node)] };
    if (node.resource_type === "source")
      return { sources: [{ name: node.source_name ?? "", schema: node.schema, tables: [this.#table(id, node)] }] };
    if (node.resource_type === "exposure") return { exposures: [this.#exposure(node)] };
    return node.resource_type === "group" ? { groups: [{ name: node.name, owner: node.owner }] } : undefined;
  }

  #table(id: string, node: ManifestNode): object {
    const known = this.#catalog.nodes?.[id] ?? this.#catalog.sources?.[id];
    const schema = known?.metadata?.schema ?? node.schema;
    const table = known?.metadata?.name ?? node.alias ?? node.identifier ?? node.name;
    const tests = this.#tests.get(id) ?? [];
    const comments = new Map(
      Object.values(known?.columns ?? {}).map(({ name, comment }) => [name?.toLowerCase(), comment]),
    );
    const tested = tests.flatMap(
      ({ column_name, test_metadata }) => columnOf(column_name, test_metadata?.kwargs) ?? [],
    );
    const columns = { ...Object.fromEntries(tested.map((name) => [name, { name }])), ...node.columns };
    return withoutEmpty({
      name: node.name,
      relation: schema ? `${schema}.${table}` : table,
      description: node.description || known?.metadata?.comment,
      meta: node.meta,
      constraints: node.constraints,
      columns: Object.values(columns).map((column) =>
        withoutEmpty({
          name: column.name,
          description: ("description" in column ? column.description : "") || comments.get(column.name.toLowerCase()),
          constraints: "constraints" in column ? column.constraints : [],
          data_tests: tests
            .filter((test) => columnOf(test.column_name, test.test_metadata?.kwargs) === column.name)
            .map(toTest),
        }),
      ),
      data_tests: tests
        .filter((test) => columnOf(test.column_name, test.test_metadata?.kwargs) === undefined)
        .map(toTest),
    });
  }

  #exposure({ name, label, type, description, owner, depends_on }: ManifestNode): object {
    const used = (depends_on?.nodes ?? []).flatMap((id) => {
      const node = this.#nodes.get(id);
      if (node === undefined) return [];
      return [node.source_name ? `source('${node.source_name}', '${node.name}')` : `ref('${node.name}')`];
    });
    return withoutEmpty({ name, label, type, description, owner, depends_on: used });
  }
}

function columnOf(
  name: string | null | undefined,
  kwargs: Readonly<Record<string, unknown>> | null | undefined,
): string | undefined {
  return name ?? (typeof kwargs?.column_name === "string" ? kwargs.column_name : undefined);
}

/** Writes a test in the format of a properties file. */
function toTest({ test_metadata, config }: ManifestNode): object {
  const { name = "", namespace, kwargs } = test_metadata ?? {};
  const given = Object.entries(kwargs ?? {}).filter(([key]) => key !== "model" && key !== "column_name");
  const where = config?.where;
  return {
    [namespace ? `${namespace}.${name}` : name]: withoutEmpty({
      ...Object.fromEntries(given),
      ...(typeof where === "string" ? { config: { where } } : {}),
    }),
  };
}

function withoutEmpty(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isEmpty = (each: unknown) =>
    each === undefined || each === null || each === "" || (typeof each === "object" && Object.keys(each).length === 0);
  return Object.fromEntries(Object.entries(value).filter(([, each]) => !isEmpty(each)));
}
