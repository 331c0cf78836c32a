/**
 * Limits a rule to some inputs. Maps fields, such as `statement` or `order.id`, to regular expressions. Each expression
 * must match its field, ignoring case. A field that is not text is matched as JSON. A missing field never matches. If a tool
 * could read an input in several ways, a denial or a question needs one that matches, and a permission needs that all do.
 *
 * @example
 * const pattern: InputPattern = { statement: "^select" };
 */
export type InputPattern = Readonly<Record<string, string>>;

/** A person's answer, and the later calls that it applies to. */
export interface RememberedAnswer {
  /** The tool's name, as the model uses it. */
  readonly tool: string;
  /** Limits the answer to some inputs. Default: all inputs. */
  readonly when?: InputPattern;
  readonly decision: "allow" | "deny";
  /** `session` ends with the session, or with the run if it belongs to no session. `project` and `always` are stored. */
  readonly scope: "session" | "project" | "always";
  /** Who answered. */
  readonly by: string;
  /** The time of the answer, as ISO 8601. */
  readonly at: string;
}

/** Stores answers that outlive a session: `project` for one project, `always` for all projects of a person. */
export interface PermissionStore {
  /** Rejects if the answers cannot be read. Calls are denied then. */
  read(): Promise<readonly RememberedAnswer[]>;
  add(answer: RememberedAnswer): Promise<void>;
}
