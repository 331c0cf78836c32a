/** The checks that a candidate has to pass, in order. A rejection's reason code is the name of the gate. */
export const gateNames = [
  "schema",
  "size",
  "our_own_output",
  "citation",
  "secret",
  "instruction",
  "hearsay",
  "not_durable",
  "number",
  "not_in_source",
  "out_of_scope",
  "unknown_identifier",
  "join",
  "sql",
] as const;
export type GateName = (typeof gateNames)[number];
