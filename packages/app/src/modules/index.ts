/** The user's modules: files with tools, and errors in them. */
export { explainFault } from "./explain-fault.ts";
export { loadTools, moduleOptions } from "./load-tools.ts";
