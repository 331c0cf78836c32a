/** Removes credentials from texts. */
export { createRedactor } from "@bridle/core";
