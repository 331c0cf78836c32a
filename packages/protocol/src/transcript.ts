/** Transcripts of events, for browser pages. This part works without Zod, which is most of this package's size. */
export * from "./conversation/placed-transcript.ts";
export type * from "./conversation/transcript.ts";
