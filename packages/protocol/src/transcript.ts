/** Transcripts of events, for pages in a browser. They work without Zod, which is most of this package. */
export * from "./conversation/placed-transcript.ts";
export type * from "./conversation/transcript.ts";
