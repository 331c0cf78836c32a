/** The database engines. This list is the only place that names them: everything else asks their definitions. */
import type { Connector } from "../port/connector.ts";

/** In display order. */
export const connectors = [] as const satisfies readonly Connector[];
