import type { CallerOptions } from "@bridle/context";
import { ConfigError, suggestion } from "@bridle/protocol";
import { isPattern } from "@bridle/warehouse";
import { z } from "zod";

const form = "a pattern such as sales.orders, sales or *.invoices";
const patterns = z.array(z.string().refine((text) => isPattern(text, 2), `has to be ${form}`)).min(1);

/** The part of the databases that a token's owner can access, as written in the token file. */
const scopeSchema = z.strictObject({
  connections: z.array(z.string()).min(1).optional(),
  include: patterns.optional(),
  exclude: patterns.optional(),
});

/** Reads the scope of a caller. Throws ConfigError if the scope is invalid or names a connection that is not served. */
export function parseCallerScope(
  { name, scope }: { readonly name: string; readonly scope?: unknown },
  served: readonly string[],
): CallerOptions {
  if (scope === undefined) return { connections: served };
  const parsed = scopeSchema.safeParse(scope);
  if (!parsed.success) {
    throw new ConfigError(`The scope of the token ${name} is wrong: ${z.prettifyError(parsed.error)}`);
  }
  const { connections = served, include, exclude } = parsed.data;
  const unknown = connections.find((each) => !served.includes(each));
  if (unknown === undefined) return { connections, scope: { include, exclude } };
  const remedy = suggestion(unknown, served) || ` There are: ${served.join(", ")}.`;
  throw new ConfigError(
    `The scope of the token ${name} has the connection ${unknown}, which bridle.yaml does not have.${remedy}`,
  );
}
