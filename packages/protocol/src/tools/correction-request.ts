/** The first words of a request that asks a model to correct one call. Scripts of rehearsals recognise the request by them. */
export const correctionStart = "This call to the tool";
