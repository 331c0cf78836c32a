/**
 * A project's data context: facts about its warehouses, metrics, pages and joins, and the tools with which an agent uses them.
 *
 * @example
 * import { createContext } from "bridle/context";
 */

export { type CreateContextOptions, createContext, type ProjectContextOptions } from "@bridle/data";
export type * from "./context-types.ts";
export type * from "./ingest-types.ts";
export type * from "./warehouse-types.ts";
