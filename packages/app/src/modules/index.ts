/** Modules of the user: files of tools, and faults in them. */
export { explainFault } from "./explain-fault.ts";
export { loadTools, moduleOptions } from "./load-tools.ts";
