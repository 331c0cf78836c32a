import { cubeFormat } from "./cube/cube-format.ts";
import { lookmlFormat } from "./lookml/lookml-format.ts";
import type { MetricFormat } from "./metric-format.ts";
import { metricFlowFormat } from "./metricflow/metricflow-format.ts";
import { osiFormat } from "./osi/osi-format.ts";

/** The formats that can be imported. */
export const metricFormats: readonly MetricFormat[] = [metricFlowFormat, osiFormat, lookmlFormat, cubeFormat];
