/** The demo: an agent that answers a question about a database, with a scripted model. */
export { type Demo, openDemo } from "./demo.ts";
