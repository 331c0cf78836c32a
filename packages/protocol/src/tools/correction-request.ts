/** The first words of a request to a model to correct one call. Rehearsal scripts recognise the request by these words. */
export const correctionStart = "This call to the tool";
