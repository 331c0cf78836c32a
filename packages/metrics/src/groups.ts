/** Types of metrics in an agent's file that contain several metrics. Every other metric is a type by itself. */

export interface MetricGroup {
  /** The key that names the metric. */
  readonly key: string;
  /** One sentence for editors. */
  readonly description: string;
  /** Keys of other tools that no metric of the group supports, and alternatives. */
  readonly unsupported: Readonly<Record<string, string>>;
  /** Names in other tools, and the names to use here. */
  readonly replaced: Readonly<Record<string, string>>;
}

const criteriaInstead = "Use the type geval, with criteria in your words";

/** By the value of `type`. */
export const metricGroups: Readonly<Record<string, MetricGroup>> = {
  standard: {
    key: "metric",
    description: "A computed metric.",
    unsupported: {
      model: "a computed metric asks no model. Remove it, or use the type geval or rag.",
      scale: "scores are from 0 to 1. Remove it, and set threshold.",
      retry_on_failure:
        "a computed metric gives the same score each time. Remove it; --trials runs cases several times.",
      timeout_ms: "a computed metric takes almost no time. Remove it.",
      custom_prompt: "write what to judge as criteria of a metric of the type geval.",
    },
    replaced: {
      groundedness: "Use the type rag with faithfulness",
      relevance: "Use the type rag with answer_relevancy",
      coherence: criteriaInstead,
      fluency: criteriaInstead,
      safety: criteriaInstead,
    },
  },
  rag: {
    key: "metric_type",
    description: "A model judges an answer that is made from retrieved text.",
    unsupported: {},
    replaced: {},
  },
};
