/** Types of metrics in an agent file that contain several metrics. Every other metric has a type of its own. */

export interface MetricGroup {
  /** The key that names the metric. */
  readonly key: string;
  /** The description that editors show for the type, in one sentence. */
  readonly description: string;
  /** Keys of other tools that no metric of the group supports, each with an alternative. */
  readonly unsupported: Readonly<Record<string, string>>;
  /** Metric names of other tools, each with Bridle's name for the metric. */
  readonly replaced: Readonly<Record<string, string>>;
}

const criteriaInstead = "Use the type geval, with criteria in your words";

/** The groups, by the value of `type` that selects them. */
export const metricGroups: Readonly<Record<string, MetricGroup>> = {
  standard: {
    key: "metric",
    description: "A computed metric.",
    unsupported: {
      model: "a computed metric calls no model. Remove it, or use the type geval or rag.",
      scale: "scores are from 0 to 1. Remove it, and set threshold.",
      retry_on_failure:
        "a computed metric gives the same score each time. Remove it; --trials runs cases several times.",
      timeout_ms: "a computed metric takes almost no time. Remove it.",
      custom_prompt: "use a geval metric, and write the prompt as its criteria.",
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
