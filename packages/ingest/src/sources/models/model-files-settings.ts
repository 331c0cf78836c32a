/** The settings of all kinds of files with metric models. */
export interface ModelFilesSettings {
  readonly type: "metricflow" | "lookml" | "osi" | "cube";
  readonly path: string;
  readonly connection?: string | undefined;
  readonly schema?: string | undefined;
}
