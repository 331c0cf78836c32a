import type { Claim } from "../claims/claim.ts";

/** Describes a claim in one line. */
export function describeBody({ body }: Pick<Claim, "body">): string {
  switch (body.kind) {
    case "statement":
      return body.statement;
    case "description":
      return `${body.subject}: ${body.text}`;
    case "join":
      return `${body.from.join(", ")} → ${body.to.join(", ")}${body.condition === undefined ? "" : ` if ${body.condition}`}`;
    case "model-part":
      return `${body.model}.${body.name} (${body.part}): ${JSON.stringify(body.entry)}`;
  }
}
