/**
 * The data context of a project: facts about its warehouses, metrics, pages and joins, and the tools that let an agent use them.
 *
 * @example
 * import { createContext } from "bridle/context";
 */

export { type CreateContextOptions, createContext, type ProjectContextOptions } from "@bridle/data";
export type * from "./context-types.ts";
export type * from "./ingest-types.ts";
export type * from "./warehouse-types.ts";
