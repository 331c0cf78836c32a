/** The behaviours that Copilot's runtime does not support, each with the reason. */
const noBuiltins = "its host's own tools stay off";
const schemaWords = "its host moves keywords that limit a value, such as minLength, into the descriptions of a schema";

export const copilotSkips = {
  "apply to the host's own tools as to any other": noBuiltins,
  "hide the host's own tools that they disable, and apply the mode to the others": noBuiltins,
  "reach the model with their names, descriptions and JSON Schemas, and no other tool does": schemaWords,
  "with an input schema from elsewhere reach the model with exactly that schema": schemaWords,
  "are requested again in the same step if their input does not fit, and then run":
    "its model gets the reason, and corrects the call in the next step",
  "count every request: also a response that broke off, with the tokens of its prompt":
    "its host reports the tokens of a response when it is complete, so the cost is marked as a part",
};
