import { expect, test } from "vitest";
import { connectors } from "../connectors/registry.ts";
import type { Connector } from "../port/connector.ts";
import { parseConnection } from "./connection-schema.ts";

const all: readonly Connector[] = connectors;

test.each(all)("a misspelt key of a connection of type $type is refused, so that no rule is lost", (connector) => {
  const entry = { ...connector.example, filter: { orders: "region = 'EU'" } };
  expect(() => parseConnection("shop", connector, entry)).toThrow(/filter/);
  expect(parseConnection("shop", connector, { ...connector.example })).toMatchObject({ type: connector.type });
});
