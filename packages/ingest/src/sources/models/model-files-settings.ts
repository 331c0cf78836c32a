/** The settings of all source kinds with metric model files. */
export interface ModelFilesSettings {
  readonly type: "metricflow" | "lookml" | "osi" | "cube";
  readonly path: string;
  readonly connection?: string | undefined;
  readonly schema?: string | undefined;
}
