/** A dataset, identified by the names that the API uses. */
export interface DatasetPlace {
  readonly project: string;
  readonly dataset: string;
}

/** Resolves schemas to datasets. A dataset in the connection's project is named without the project, others as `project.dataset`. */
export class BigQueryPlaces {
  /** The connection's project, followed by the other projects. */
  readonly projects: readonly string[];
  readonly #own: string;

  constructor(own: string, others: readonly string[]) {
    this.#own = own;
    this.projects = [...new Set([own, ...others])];
  }

  schemaOf({ project, dataset }: DatasetPlace): string {
    return project === this.#own ? dataset : `${project}.${dataset}`;
  }

  /**
   * Returns the dataset of a schema. Undefined if the connection may not read the schema's project. A dot always separates project and
   * dataset, because dataset names contain no dots.
   */
  placeOf(schema: string): DatasetPlace | undefined {
    const dot = schema.lastIndexOf(".");
    const project = dot === -1 ? this.#own : schema.slice(0, dot);
    return this.projects.includes(project) ? { project, dataset: schema.slice(dot + 1) } : undefined;
  }
}
