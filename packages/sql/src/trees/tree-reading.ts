import type { NameReading } from "../select/sql-reading.ts";
import type { QueryTree, SqlNode, TextSpan } from "./statement-tree.ts";

/** A statement that ran, while it is read as a tree. */
export interface TreeReading extends NameReading {
  /** The positions of terms that AND and OR connect. */
  readonly spans: WeakMap<SqlNode, TextSpan>;
  expression(): SqlNode;
  query(): QueryTree;
}
