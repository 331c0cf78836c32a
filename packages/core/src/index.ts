export * from "./errors.ts";
export { nearest, suggestion } from "./nearest.ts";
