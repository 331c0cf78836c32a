import { shortened } from "@bridle/metrics";

/** What a person is shown of a long text; the whole of it is in the transcript. */
export const clipped = (text: string): string => shortened(text.trim(), 500);
