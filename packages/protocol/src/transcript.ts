/** Transcripts of events without Zod, which is most of this package: for pages in a browser. */
export * from "./conversation/placed-transcript.ts";
export type * from "./conversation/transcript.ts";
