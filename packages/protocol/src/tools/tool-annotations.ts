/** Properties that a tool declares. `resolveAnnotations` fills in the others. */
export interface ToolAnnotations {
  /** Whether the tool changes nothing, so that calls may run in parallel. Default: false. */
  readOnly?: boolean | undefined;
  /** Whether the tool may remove or overwrite data that cannot be restored. Default: true, unless the tool is `readOnly`. */
  destructive?: boolean | undefined;
  /** Whether a second call with the same input changes nothing more. Default: false. */
  idempotent?: boolean | undefined;
  /** Whether the tool reaches systems outside this machine. Default: true, unless the tool is `readOnly`. */
  openWorld?: boolean | undefined;
}

/**
 * Returns all properties of a tool. A tool that declares nothing counts as destructive and as open-world, as in the Model Context Protocol.
 * Rules must never treat a missing declaration as a promise.
 *
 * @example
 * resolveAnnotations({}) // { readOnly: false, destructive: true, idempotent: false, openWorld: true }
 */
export function resolveAnnotations(declared: ToolAnnotations = {}): Record<keyof ToolAnnotations, boolean> {
  const { readOnly = false, destructive = !readOnly, idempotent = false, openWorld = !readOnly } = declared;
  return { readOnly, destructive, idempotent, openWorld };
}
