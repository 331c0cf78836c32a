/** Properties that a tool declares. `resolveAnnotations` assumes the others. */
export interface ToolAnnotations {
  /** The tool changes nothing, so calls may run in parallel. Default: it does change something. */
  readOnly?: boolean | undefined;
  /** The tool may remove or overwrite data that cannot be restored. Default: true, unless it is `readOnly`. */
  destructive?: boolean | undefined;
  /** A second call with the same input changes nothing more. Default: it does. */
  idempotent?: boolean | undefined;
  /** The tool reaches systems outside this machine. Default: true, unless it is `readOnly`. */
  openWorld?: boolean | undefined;
}

/**
 * All properties of a tool. A tool that declares nothing may do anything: it counts as destructive and as open-world,
 * which are also the defaults of the Model Context Protocol. Rules must never treat a missing declaration as a promise.
 *
 * @example
 * resolveAnnotations({}) // { readOnly: false, destructive: true, idempotent: false, openWorld: true }
 */
export function resolveAnnotations(declared: ToolAnnotations = {}): Record<keyof ToolAnnotations, boolean> {
  const { readOnly = false, destructive = !readOnly, idempotent = false, openWorld = !readOnly } = declared;
  return { readOnly, destructive, idempotent, openWorld };
}
