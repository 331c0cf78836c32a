/** `@bridle/rehearsal/cassette`: creates scripts from real runs. */
export { type Cassette, type CassetteOptions, createCassette } from "./cassette/cassette.ts";
export { type CassetteRecorder, type CassetteRecorderOptions, createCassetteRecorder } from "./cassette/recorder.ts";
export { type CassetteHeader, writeCassette } from "./cassette/write.ts";
