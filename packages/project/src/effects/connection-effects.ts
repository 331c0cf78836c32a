import { type FolderEffect, isPlainObject } from "@bridle/protocol";
import { commonKeys } from "@bridle/warehouse/definitions";
import { connectorOf } from "../config/connection-faults.ts";
import type { ContextConfig } from "../config/context.ts";
import { asWritten, shownAddress, shownWord, type WrittenTexts } from "./effect-values.ts";

/** Lists one effect for each connection: the database that agents can read, and the data that is sent to its server. */
export function connectionEffects({ connections }: ContextConfig, written: WrittenTexts): FolderEffect[] {
  return Object.entries(connections).map(([name, entry]) => {
    const field = `context.connections.${name}`;
    const absent = Object.fromEntries(
      Object.entries(written).flatMap(([path, text]) =>
        path.startsWith(`${field}.`) ? [[path.slice(field.length + 1), text] as const] : [],
      ),
    );
    const shown = asWritten({ ...absent, ...entry }, written, field);
    const { type } = entry;
    const keys = Object.entries(isPlainObject(shown) ? shown : {}).filter(
      ([key]) => key !== "type" && !Object.hasOwn(commonKeys, key),
    );
    const settings = keys.map(([key, value]) => `${key}: ${shownValue(value)}`).join(", ");
    const content = JSON.stringify(shown);
    if (connectorOf(type).isLocal)
      return { kind: "reads", subject: `the database ${name} of ${type}, with ${settings}`, field, content };
    const subject = `statements and credentials to the database ${name} of ${type}, with ${settings}`;
    return { kind: "sends", subject, field, content };
  });
}

function shownValue(value: unknown): string {
  return typeof value === "string" ? shownWord(shownAddress(value)) : JSON.stringify(value);
}
