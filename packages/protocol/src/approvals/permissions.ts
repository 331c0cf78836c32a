/**
 * Limits a rule to some inputs. Maps fields, such as `statement` or `order.id`, to regular expressions. Each expression must match its
 * field, ignoring case. A field that is not text is matched as JSON. A missing field never matches. If a tool could read an input in
 * several ways, a denial or a question applies if one reading matches, and a permission applies only if all readings match.
 *
 * @example
 * const pattern: InputPattern = { statement: "^select" };
 */
export type InputPattern = Readonly<Record<string, string>>;

/** Identifies the tool that an answer is about, because tools with different origins or definitions can share a name. */
export interface ToolIdentity {
  /** Where the tool comes from, such as one server with its command, or one host. Contains no credential. */
  readonly source: string;
  /** SHA-256 of the definition. Missing for the host's own tools. */
  readonly definitionHash?: string;
  /** The description, the input schema and the annotations, as JSON. Used only to show a difference. */
  readonly definition?: string;
}

/** The user's answer, and the later calls that it applies to. */
export interface RememberedAnswer {
  /** The tool's name, as the model uses it. */
  readonly tool: string;
  /** Identifies the tool with this name. Without it, only a denial applies. */
  readonly identity?: ToolIdentity;
  /** Limits the answer to some inputs. Default: all inputs. */
  readonly when?: InputPattern;
  readonly decision: "allow" | "deny";
  /** `session` ends with the session, or with the run if it belongs to no session. `project` and `always` are stored. */
  readonly scope: "session" | "project" | "always";
  /** The name of whoever answered. */
  readonly by: string;
  /** The time of the answer, as ISO 8601. */
  readonly at: string;
}

/** Stores answers that outlive a session: `project` for one project, `always` for all projects of a user. */
export interface PermissionStore {
  /** Reads the stored answers. Rejects if they cannot be read; calls are then denied. */
  read(): Promise<readonly RememberedAnswer[]>;
  add(answer: RememberedAnswer): Promise<void>;
}
